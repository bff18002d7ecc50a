import { afterEach, expect, test, vi } from 'vitest';
import * as useKeys from '../../../lib/features/use/keys.ts';
import { UsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { freshTable } from '../../harness/table.ts';

const start = performance.now();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns how many of some things are written each time, where all of them are seen after each number of minutes. */
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

test('When something was last seen is written once a minute, and every five minutes where writes cost money', async () => {
  expect(await written(false, 3, 0, 1, 2)).toEqual([3, 3, 3]);
  expect(await written(true, 3, 0, 1, 4, 5)).toEqual([3, 0, 0, 3]);
});

test('Where writes cost money, a process writes at most 500 of these times again in a minute, and the others after it', async () => {
  expect(await written(true, 520, 0, 5, 6)).toEqual([520, 500, 20]);
  expect(await written(false, 520, 0, 1)).toEqual([520, 520]);
});
