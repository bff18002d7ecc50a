import { expect, test } from 'vitest';
import { mayBeGivenUp, type SeenAttempt } from './given-up.ts';

const hours = 3_600_000;
const createdAt = new Date(0).toISOString();
const event = (id: number, as: SeenAttempt['as'], ...at: number[]): SeenAttempt[] =>
  at.map((hour) => ({ id, feature: 'f', at: hour * hours, as }));
const givenUp = (at: number, attempts: readonly SeenAttempt[]) =>
  mayBeGivenUp({ eventId: 1, at: new Date(at * hours).toISOString() }, createdAt, attempts);

test.each<[string, boolean, number, SeenAttempt[]]>([
  ['that was refused', true, 0, event(1, 'refused', 0)],
  ['that failed for 71 hours', false, 71, event(1, 'failed', 0, 1, 20, 50, 71)],
  ['that failed for 72 hours, and then', true, 72, [...event(1, 'failed', 0, 30, 72), ...event(2, 'taken', 71.9)]],
  [
    'that failed for 70 hours and was not tried then',
    false,
    72,
    [...event(1, 'failed', 70), ...event(2, 'taken', 71.5)],
  ],
  ['of 72 hours in which the receiver was away', true, 72, event(2, 'away', 1, 20, 50, 71)],
  ['of 72 hours that nobody tried while others were taken', false, 72, event(2, 'taken', 71.5)],
  ['whose turn came after 72 hours, and that failed for two', true, 75, event(1, 'failed', 73, 74, 75)],
  ['that failed for 99 hours', false, 99, event(1, 'failed', 73, 99)],
])('An event %s: given up rightly %s', (_, isRight, at, attempts) => {
  expect(givenUp(at, attempts)).toBe(isRight);
});
