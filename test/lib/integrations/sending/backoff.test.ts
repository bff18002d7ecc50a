import { expect, test } from 'vitest';
import { backoffOf, isInFuture } from '../../../../lib/integrations/sending/backoff.ts';

const minute = 60_000;

test('The pauses between attempts are 1, 2, 4 … minutes, up to the longest one', () => {
  const pauses = [1, 2, 3, 6, 7, 2_000].map((failures) => backoffOf(failures, 60 * minute) / minute);
  expect(pauses).toEqual([1, 2, 4, 32, 60, 60]);
});

test('A pause beyond the longest one has no effect, since the clock was ahead', () => {
  expect(isInFuture(30 * minute, 0, 20 * minute)).toBe(true);
  expect(isInFuture(31 * minute, 0, 20 * minute)).toBe(false);
  expect(isInFuture(0, 0, 20 * minute)).toBe(false);
});
