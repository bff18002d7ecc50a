import { expect, test } from 'vitest';
import {
  breakerMs,
  isAhead,
  isSuspicious,
  pauseAfter,
  retryAfterMaxMs,
  suspect,
} from '../../../../lib/integrations/sending/schedule.ts';

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

const failed = (times: number, isPassing: boolean, areOthersTaken: boolean) =>
  Array.from({ length: times }).reduce<ReturnType<typeof suspect>>(
    (before, _, index) => suspect(before, { isPassing, areOthersTaken, now: (index + 1) * 15 * minute }),
    { suspicions: 0, suspectedAt: 0 },
  );

test('An event is suspicious after five failures, and three quarters of an hour, that may be its own fault', () => {
  expect(isSuspicious(failed(5, false, false), 75 * minute)).toBe(true);
  expect(isSuspicious(failed(4, false, false), 75 * minute)).toBe(false);
  expect(isSuspicious(failed(5, false, false), 59 * minute)).toBe(false);
  expect(isSuspicious(failed(12, true, false), 75 * minute)).toBe(false);
  expect(isSuspicious(failed(5, true, true), 75 * minute)).toBe(true);
});

test('A time that lies further ahead than it was set to holds nothing back: the clock was ahead then', () => {
  expect(isAhead(30 * minute, 0, 20 * minute)).toBe(true);
  expect(isAhead(31 * minute, 0, 20 * minute)).toBe(false);
  expect(isAhead(0, 0, 20 * minute)).toBe(false);
});
