import { expect, test } from 'vitest';
import { mayBeGivenUp, type SeenAttempt } from './given-up.ts';

const hours = 3_600_000;
const createdAt = new Date(0).toISOString();
const event = (id: number, as: SeenAttempt['as'], ...at: number[]): SeenAttempt[] =>
  at.map((each) => ({ id, feature: 'f', at: each * hours, as }));
const givenUp = (at: number, attempts: readonly SeenAttempt[]) =>
  mayBeGivenUp({ eventId: 1, at: new Date(at * hours).toISOString() }, createdAt, attempts);

test.each<[string, boolean, number, SeenAttempt[]]>([
  ['that was refused', true, 0, event(1, 'refused', 0)],
  [
    'that failed five times while another was taken',
    true,
    1,
    [...event(1, 'failed', 0, 0.1, 0.2, 0.5, 1), ...event(2, 'taken', 0.7)],
  ],
  ['that failed five times while none was taken', false, 1, event(1, 'failed', 0, 0.1, 0.2, 0.5, 1)],
  [
    'that failed four times while another was taken',
    false,
    1,
    [...event(1, 'failed', 0, 0.1, 0.2, 1), ...event(2, 'taken', 0.7)],
  ],
  [
    'that failed five times within minutes',
    false,
    0.1,
    [...event(1, 'failed', 0, 0.02, 0.04, 0.06, 0.1), ...event(2, 'taken', 0.05)],
  ],
  ['of 72 hours in which the receiver was away', true, 72, event(2, 'away', 1, 20, 50, 71)],
  ['of 72 hours that nobody tried while others were taken', false, 72, event(2, 'taken', 30)],
  [
    'that failed three times after 72 hours, when its turn came',
    true,
    74,
    [...event(1, 'failed', 72, 72.1, 72.2), ...event(2, 'taken', 73)],
  ],
  ['that failed once after 72 hours', false, 74, [...event(1, 'failed', 72), ...event(2, 'taken', 73)]],
  ['of 71 hours in which it failed alone', true, 71.8, event(1, 'failed', 0, 1, 5, 20, 47, 71.8)],
])('An event %s: given up rightly %s', (_, isRight, at, attempts) => {
  expect(givenUp(at, attempts)).toBe(isRight);
});

test('An event that failed while the receiver was away is not given up because of another one', () => {
  const attempts = [...event(1, 'away', 0, 0.1, 0.2, 0.5), ...event(1, 'failed', 1), ...event(2, 'taken', 1.1)];
  expect(givenUp(1.1, attempts)).toBe(false);
});
