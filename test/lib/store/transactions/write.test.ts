import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../lib/errors.ts';
import * as featureKeys from '../../../../lib/features/keys.ts';
import { itemBytesMax } from '../../../../lib/store/item.ts';
import { readItem } from '../../../../lib/store/read.ts';
import { transact } from '../../../../lib/store/transactions/transact.ts';
import { findItemErrors, type Write, writeBytes } from '../../../../lib/store/transactions/write.ts';
import { codePoint } from '../../../harness/code-point.ts';
import { sharedTable } from '../../../specifications/specify.ts';

/** A write of an item of `bytes`, including its key. */
function writeOf(bytes: number, name: string, rest: Record<string, string | number | boolean | null> = {}): Write {
  const empty = { put: featureKeys.feature(name), item: { ...rest, text: '' }, subject: `feature "${name}"` };
  return { ...empty, item: { ...empty.item, text: 'x'.repeat(bytes - writeBytes(empty)) } };
}

describe('An item', () => {
  const table = sharedTable();

  test('of a size near the limit is either written or refused as too large', async () => {
    const rest = fc.record(
      { number: fc.integer().map((number) => number / 8 + 0), flag: fc.boolean(), nothing: fc.constant(null) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -200, max: 20 }),
        fc.string({ minLength: 1, maxLength: 100, unit: codePoint }),
        rest,
        async (beyond, name, attributes) => {
          const write = writeOf(itemBytesMax + beyond, name, attributes);
          const outcome = await transact(table, [write], undefined).catch((error: unknown) => error);
          if (beyond <= 0) {
            expect(outcome, String(outcome)).toBeUndefined();
            expect(await readItem(table, featureKeys.feature(name))).toHaveProperty('text');
          } else {
            expect(outcome).toBeInstanceOf(ApiError);
            expect(outcome).toMatchObject({ name: 'ValidationError' });
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('that is too large is named with its size and the limit, like all others', () => {
    const fine = writeOf(itemBytesMax, 'fine');
    const [one, other] = [writeOf(itemBytesMax + 1, 'one'), writeOf(itemBytesMax + 20, 'other')];
    expect(findItemErrors([one, fine, { check: featureKeys.feature('c'), when: 'present' }, other])).toEqual([
      { message: `The feature "one" would take 409601 bytes; at most 409600 are allowed.` },
      { message: `The feature "other" would take 409620 bytes; at most 409600 are allowed.` },
    ]);
  });
});
