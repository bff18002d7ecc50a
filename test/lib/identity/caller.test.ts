import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { identify } from '../../../lib/identity/caller.ts';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { listTokens, revokeToken } from '../../../lib/identity/tokens/tokens.ts';
import { addInitTokens } from '../../../lib/tokens/init-tokens.ts';
import { freshTable } from '../../harness/table.ts';

const hourMs = 3_600_000;

describe('A token that was revoked by this process', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Tells whether a revoked token is still trusted after the clock was changed. */
  async function isTrustedAfter(changeClock: () => void): Promise<boolean> {
    const table = await freshTable();
    const secret = makeSecret('admin');
    await addInitTokens(table, { adminTokens: [secret] });
    expect(await identify(table, secret)).toBeDefined();
    const [token] = await listTokens(table);
    await revokeToken(table, token?.id ?? '');
    changeClock();
    return (await identify(table, secret)) !== undefined;
  }

  test('is not trusted when the clock is set back', async () => {
    const setBack = () => vi.setSystemTime(Date.now() - hourMs);
    expect(await isTrustedAfter(setBack)).toBe(false);
    const setBackALittle = () => {
      vi.advanceTimersByTime(identityTrustMs);
      vi.setSystemTime(Date.now() - 1_000);
    };
    expect(await isTrustedAfter(setBackALittle)).toBe(false);
  });

  test('is not trusted when the process was frozen, with its monotonic clock', async () => {
    expect(await isTrustedAfter(() => vi.setSystemTime(Date.now() + hourMs))).toBe(false);
  });
});
