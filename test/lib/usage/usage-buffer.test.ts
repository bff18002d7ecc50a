import { afterEach, expect, test, vi } from 'vitest';
import * as useKeys from '../../../lib/features/use/keys.ts';
import { UsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { freshTable } from '../../harness/table.ts';

// A whole number, since differences of fractions are rounded.
const start = Math.ceil(performance.now());
afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the number of writes each time, if all of some things are seen after each number of minutes. */
async function written(isMetered: boolean, count: number, ...minutes: readonly number[]): Promise<number[]> {
  const table = await freshTable();
  const memory = new UsageBuffer({ isMetered });
  const sizes: number[] = [];
  for (const minute of minutes) {
    vi.spyOn(performance, 'now').mockReturnValue(start + minute * 60_000);
    for (let index = 0; index < count; index += 1)
      memory.recordSeen(useKeys.featureSeen('default', `feature-${index}`, 'development'), { lastSeenAt: 'a time' });
    sizes.push(memory.size);
    await memory.flush(table);
  }
  return sizes;
}

test('The time of the last use is written once a minute, and every five minutes if the store charges per write', async () => {
  expect(await written(false, 3, 0, 1, 2)).toEqual([3, 3, 3]);
  expect(await written(true, 3, 0, 1, 4, 5)).toEqual([3, 0, 0, 3]);
});

test('If the store charges per write, a process writes at most 500 times of last use again in a minute, and the others later', async () => {
  expect(await written(true, 520, 0, 5, 6)).toEqual([520, 500, 20]);
  expect(await written(false, 520, 0, 1)).toEqual([520, 520]);
});
