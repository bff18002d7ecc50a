import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { isOver, isWithin, now } from '../../../lib/values/moment.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // A process that runs for a while: its monotonic clock began at 0.
  vi.advanceTimersByTime(5_000);
});

/** Lets the two clocks go on, and tells whether a moment before that was less than a second ago. */
function isRecent(wallMs: number, monotonicMs: number): boolean {
  const moment = now();
  vi.advanceTimersByTime(monotonicMs);
  vi.setSystemTime(moment.wall + wallMs);
  const isRecent = isWithin(moment, 1_000);
  expect(isOver(moment, 1_000)).toBe(!isRecent);
  return isRecent;
}

test.each([
  ['at once', 0, 0, true],
  ['just before its end', 999, 999, true],
  ['at its end', 1_000, 1_000, false],
  ['while the wall clock stands', 0, 1_000, false],
  ['while the monotonic clock stands, as in a frozen process', 1_000, 0, false],
  ['where the wall clock was set back', -1, 1, false],
])('A time since a moment: %s', (_when, wallMs, monotonicMs, expected) => {
  expect(isRecent(wallMs, monotonicMs)).toBe(expected);
});

test('The time since no moment is over', () => {
  expect(isOver(undefined, 1_000)).toBe(true);
});
