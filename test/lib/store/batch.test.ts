import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../../lib/errors.ts';
import { batchUnits, splitIntoBatches, type Unit } from '../../../lib/store/batch.ts';
import { itemBytesMax } from '../../../lib/store/item.ts';
import { transactionBytesMax, type Write, writeBytes } from '../../../lib/store/transactions/write.ts';

const bytesMax = transactionBytesMax;
const key = { pk: 'p', sk: 's' };

/** A unit of `count` writes of at least `bytes` each. */
function unit(subject: string, count: number, bytes = 0): Unit {
  const write: Write = { put: key, item: { text: 'x'.repeat(bytes) } };
  return { subject, writes: Array.from({ length: count }, () => write) };
}

/** A unit of ten writes of exactly `bytes` together. */
function unitOfBytes(subject: string, bytes: number): Unit {
  const empty = writeBytes({ put: key, item: { text: '' } });
  const each = Math.floor(bytes / 10);
  const { writes } = unit(subject, 9, each - empty);
  return { subject, writes: [...writes, ...unit(subject, 1, bytes - 9 * each - empty).writes] };
}

const packedNames = (units: readonly Unit[], reserved = 0) =>
  batchUnits(units, reserved).map((batch) => batch.map(({ subject }) => subject));

function refusal(units: readonly Unit[], reserved = 0): ApiError {
  try {
    batchUnits(units, reserved);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('The units were taken.');
}

describe('Units of writes', () => {
  test('need no transaction if there are none', () => {
    expect(packedNames([])).toEqual([]);
  });

  test('fill a transaction to its last write before the next one begins', () => {
    expect(packedNames([unit('a', 60), unit('b', 40)])).toEqual([['a', 'b']]);
    expect(packedNames([unit('a', 60), unit('b', 41), unit('c', 59)])).toEqual([['a'], ['b', 'c']]);
  });

  test('leave space for reserved writes in each transaction', () => {
    expect(packedNames([unit('a', 60), unit('b', 38)], 2)).toEqual([['a', 'b']]);
    expect(packedNames([unit('a', 60), unit('b', 39)], 2)).toEqual([['a'], ['b']]);
  });

  test('do not count `addToAny` writes, since a transaction merges them into one', () => {
    const adding = (subject: string): Unit => ({
      subject,
      writes: [...unit(subject, 50).writes, { addToAny: [key], amounts: { count: 1 } }],
    });
    expect(packedNames([adding('a'), adding('b')])).toEqual([['a', 'b']]);
  });

  test('fill a transaction to the last byte', () => {
    const half = Math.floor(bytesMax / 2);
    expect(packedNames([unitOfBytes('a', half), unitOfBytes('b', bytesMax - half)])).toEqual([['a', 'b']]);
    expect(packedNames([unitOfBytes('a', half), unitOfBytes('b', bytesMax - half + 1)])).toEqual([['a'], ['b']]);
    expect(packedNames([unitOfBytes('a', bytesMax), unitOfBytes('b', half), unitOfBytes('c', half)])).toEqual([
      ['a'],
      ['b', 'c'],
    ]);
  });

  test('stay whole and in their order, in transactions of which no two neighbors fit into one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 40 }), (counts) => {
        const units = counts.map((count, index) => unit(String(index), count));
        const batches = batchUnits(units, 0);
        expect(batches.flat()).toEqual(units);
        const sizes = batches.map((batch) => batch.reduce((sum, { writes }) => sum + writes.length, 0));
        for (const size of sizes) expect(size).toBeLessThanOrEqual(100);
        for (const [index, batch] of batches.slice(1).entries()) {
          expect((sizes[index] ?? 0) + (batch[0]?.writes.length ?? 0)).toBeGreaterThan(100);
        }
      }),
    );
  });

  test('larger than a transaction are refused, each with its name, its size and the limit', () => {
    const error = refusal([unit('first', 99), unit('fine', 98), unitOfBytes('second', bytesMax + 1)], 2);
    expect(error.name).toBe('ValidationError');
    expect(error.details.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The change of the first would take 99 writes .* at most 98 writes /),
      expect.stringMatching(`^The change of the second would take 10 writes and ${bytesMax + 1} bytes.* ${bytesMax} `),
    ]);
  });

  test('with too large an item are refused with the name of the item', () => {
    const large: Write = { put: key, item: { text: 'x'.repeat(itemBytesMax) }, subject: 'thing "large"' };
    const error = refusal([{ subject: 'first', writes: [large] }, unit('fine', 1), unit('second', 101)]);
    expect(error.details.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The thing "large" would take \d+ bytes; at most 409600 are allowed\.$/),
      expect.stringMatching(/^The change of the second /),
    ]);
  });

  test('of exactly the size of a transaction are accepted', () => {
    expect(packedNames([unit('a', 100), unitOfBytes('b', bytesMax)])).toEqual([['a'], ['b']]);
  });
});

describe('Things', () => {
  const lists = (sizes: readonly number[], room: Parameters<typeof splitIntoBatches>[2]) =>
    splitIntoBatches(sizes, (bytes) => ({ count: 1, bytes }), room);

  test('fill a batch up to its bytes or its count, whichever is reached first', () => {
    expect(lists([4, 6, 1, 9, 1], { bytes: 10 })).toEqual([[4, 6], [1, 9], [1]]);
    expect(lists([1, 1, 1, 10, 1], { bytes: 10, count: 2 })).toEqual([[1, 1], [1], [10], [1]]);
    expect(lists([], { bytes: 10 })).toEqual([]);
  });

  test('have a batch of their own if they exceed its size', () => {
    expect(lists([4, 11, 4, 4], { bytes: 10 })).toEqual([[4], [11], [4, 4]]);
  });
});
