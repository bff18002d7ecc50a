import { expect, test } from 'vitest';
import { breakerMs, isPoisonous, pauseAfter, retryAfterMaxMs } from '../../../../lib/integrations/sending/schedule.ts';

const minute = 60_000;

test('An event is tried twelve times within 71 h 51 min, besides the repeat at once', () => {
  const pauses: number[] = [];
  for (let failures = 1; ; failures += 1) {
    const pause = pauseAfter(failures, 0, 0.5);
    if (pause === undefined) break;
    pauses.push(Math.round(pause / minute));
  }
  expect(pauses).toEqual([1, 5, 15, 30, 60, 120, 240, 480, 720, 1200, 1440]);
  expect(pauses.reduce((sum, each) => sum + each)).toBe(71 * 60 + 51);
});

test('A pause differs by a tenth at most, and is never shorter than a receiver asks for, up to a day', () => {
  expect(pauseAfter(1, 0, 0)).toBeCloseTo(0.9 * minute);
  expect(pauseAfter(1, 0, 1)).toBeCloseTo(1.1 * minute);
  expect(pauseAfter(1, 10 * minute)).toBe(10 * minute);
  expect(pauseAfter(1, Number.MAX_VALUE)).toBe(retryAfterMaxMs);
});

test('The breaker stays open for 1, 2, 4 … 60 minutes', () => {
  expect([0, 1, 2, 5, 6, 100].map((openings) => breakerMs(openings) / minute)).toEqual([1, 2, 4, 32, 60, 60]);
});

test('An event that alone fails is given up with its fifth failure', () => {
  expect(isPoisonous(4, 100, 200)).toBe(false);
  expect(isPoisonous(5, 100, 200)).toBe(true);
  expect(isPoisonous(5, 100, 50)).toBe(false);
});
