import { expect, test } from 'vitest';
import { claim } from '../../../../lib/delivery/edge/signed-request.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { withFault } from '../../../harness/faults.ts';
import { sharedTable } from '../../../specifications/specify.ts';

const table = sharedTable();

test('One of several concurrent callers gets a claim, and no later caller', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => claim(table, keys.counter('a'), 60)));
  expect(all.filter((isFree) => isFree)).toHaveLength(1);
  expect(await claim(table, keys.counter('a'), 60)).toBe(false);
  expect(await claim(table, keys.counter('b'), 60)).toBe(true);
});

test('What was claimed is free again when its time is over, also before the store has cleared it away', async () => {
  expect(await claim(table, keys.counter('c'), 0)).toBe(true);
  expect(await claim(table, keys.counter('c'), 60)).toBe(true);
  expect(await claim(table, keys.counter('c'), 60)).toBe(false);
});

test('Who has claimed something is not refused because the answer of the store was lost', async () => {
  const fault = { request: 'UpdateItem', failure: 'lost answer', times: 1 } as const;
  expect(await withFault(table, fault, () => claim(table, keys.counter('d'), 60))).toEqual([true, 1]);
});
