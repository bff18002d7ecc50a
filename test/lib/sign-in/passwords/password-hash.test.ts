import { describe, expect, test } from 'vitest';
import {
  hashPassword,
  matchesPassword,
  newHashes,
  standardCost,
} from '../../../../lib/sign-in/passwords/password-hash.ts';

const cheap = { logN: 4, r: 1, p: 1 };

describe('The hash of a password', () => {
  test("costs at least OWASP's minimum", () => {
    const { logN, r, p } = standardCost;
    expect([2 ** logN, r, p]).toEqual([16_384, 8, 5]);
  });

  test('contains its parameters, so that hashes of other costs stay valid', async () => {
    const stored = await hashPassword({}, 'Correct-horse-7', cheap);
    expect(stored).toMatch(/^\$scrypt\$ln=4,r=1,p=1\$[\w+/=]{24}\$[\w+/=]{44}$/);
    newHashes.cost = { logN: 5, r: 1, p: 2 };
    expect(await matchesPassword({}, 'Correct-horse-7', stored)).toBe(true);
    expect(await matchesPassword({}, 'Correct-horse-8', stored)).toBe(false);
    expect(await matchesPassword({}, '', stored)).toBe(false);
    newHashes.cost = cheap;
  });

  test('is not computed for a request that ended before its turn', async () => {
    const signal = AbortSignal.abort(new Error('The request has ended.'));
    await expect(hashPassword({ signal }, 'Correct-horse-7', cheap)).rejects.toThrow('The request has ended.');
  });

  test('is different each time', async () => {
    expect(await hashPassword({}, 'Correct-horse-7', cheap)).not.toBe(await hashPassword({}, 'Correct-horse-7', cheap));
  });

  test('matches regardless of the Unicode form of a character', async () => {
    const stored = await hashPassword({}, 'Sch\u00f6n-sch\u00f6n-7', cheap);
    expect(await matchesPassword({}, 'Scho\u0308n-scho\u0308n-7', stored)).toBe(true);
  });
});
