import { expect, test } from 'vitest';
import { atLeast, atMost } from './bars.ts';

test('a bar is kept exactly at its limit, and missed beyond it', () => {
  expect([2, 1.999].map((ratio) => atLeast(ratio, 2, 'ratio').kept)).toEqual([true, false]);
  expect([80, 80.001].map((milliseconds) => atMost(milliseconds, 80, 'time').kept)).toEqual([true, false]);
});

test('work that was not measured, here or at the peer, keeps no bar', () => {
  expect(atLeast(1_000 / 0, 2, 'ratio').kept).toBe(false);
  expect(atLeast(Number.NaN, 2, 'ratio').kept).toBe(false);
  expect(atMost(Number.NaN, 80, 'time').kept).toBe(false);
});

test('a missed bar says so, with the figure and the bar', () => {
  expect(atLeast(1.2, 2, 'throughput', '×').words).toBe('MISSED: throughput 1.20×, at least 2×');
});
