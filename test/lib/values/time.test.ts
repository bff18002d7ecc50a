import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { computeExpiry, hasElapsed, isUnexpired, isWithin, readClocks } from '../../../lib/values/time.ts';

describe('The time since a moment', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    // A process that runs for a while: its monotonic clock began at 0.
    vi.advanceTimersByTime(5_000);
  });

  /** Advances the two clocks, and tells whether an earlier moment was less than a second ago. */
  function isRecent(wallMs: number, monotonicMs: number): boolean {
    const moment = readClocks();
    vi.advanceTimersByTime(monotonicMs);
    vi.setSystemTime(moment.wall + wallMs);
    const isRecent = isWithin(moment, 1_000);
    expect(hasElapsed(moment, 1_000)).toBe(!isRecent);
    return isRecent;
  }

  test.each([
    ['at the moment itself', 0, 0, true],
    ['just before its end', 999, 999, true],
    ['at its end', 1_000, 1_000, false],
    ['while the wall clock stops', 0, 1_000, false],
    ['while the monotonic clock stops, as in a frozen process', 1_000, 0, false],
    ['after the wall clock was set back', -1, 1, false],
  ])('is measured %s', (_when, wallMs, monotonicMs, expected) => {
    expect(isRecent(wallMs, monotonicMs)).toBe(expected);
  });

  test('has elapsed without a moment', () => {
    expect(hasElapsed(undefined, 1_000)).toBe(true);
  });
});

test('An item expires at a whole second, and is unexpired until then', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5_999 });
  onTestFinished(() => void vi.useRealTimers());
  expect([computeExpiry(2), computeExpiry(2, 7_000), computeExpiry(2, new Date(7_999))]).toEqual([7, 9, 9]);
  const isUnexpiredWith = (expiresAtSeconds: number) => isUnexpired({ expiresAtSeconds });
  expect([isUnexpiredWith(6), isUnexpiredWith(5), isUnexpired({})]).toEqual([true, false, true]);
  vi.setSystemTime(6_000);
  expect(isUnexpiredWith(6)).toBe(false);
});
