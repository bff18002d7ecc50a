import { expect, test } from 'vitest';
import {
  addFailure,
  blockOf,
  pauseUntil,
  type ReceiverHealth,
  receiverHealthOf,
} from '../../../../lib/integrations/sending/receiver-state.ts';
import { freshTable } from '../../../harness/table.ts';

const minute = 60_000;
const failure = { kind: 'retry', reason: 'status code 500', afterMs: 0, isSilent: false } as const;
const healthy = receiverHealthOf(undefined, 1, 0);

/** Returns the health of a receiver after some failures, each at the first moment at which something may be sent. */
function failing(times: number, areManyWaiting: boolean): { health: ReceiverHealth; now: number } {
  let [health, now] = [healthy, 0];
  for (let count = 0; count < times; count += 1) {
    now = Math.max(now, health.openUntil);
    health = addFailure({ ...health, openUntil: 0 }, failure, now, areManyWaiting);
  }
  return { health, now };
}

test('A receiver that fails three times in a row while three queues wait gets nothing for 1, 2, 4, 8, then 15 minutes', () => {
  expect(failing(2, true).health.openUntil).toBe(0);
  expect(failing(20, false).health.openUntil).toBe(0);
  const pauses = [3, 4, 6, 7, 10].map((times) => failing(times, true)).map(({ health, now }) => health.openUntil - now);
  expect(pauses.map((pause) => pause / minute)).toEqual([1, 2, 8, 15, 15]);
});

test('After a pause, one trial request is sent, and nothing else before a success', () => {
  const { health } = failing(3, true);
  const at = health.openUntil;
  const stored = { ...health, version: 1, ofVersion: 1 };
  expect(blockOf(receiverHealthOf(stored, 1, at - 1), at - 1, true)).toBe(at);
  expect(blockOf(receiverHealthOf(stored, 1, at), at, true)).toBeUndefined();
  expect(blockOf(receiverHealthOf(stored, 1, at), at, false)).toBe(at);
});

test('Concurrent failures count as one', () => {
  const { health } = failing(3, true);
  expect(addFailure(health, failure, 0, true)).toMatchObject({ openings: 1, openUntil: health.openUntil });
});

test('A receiver that does not answer gets nothing for a minute', () => {
  expect(blockOf(addFailure(healthy, { ...failure, isSilent: true }, 0, false), 0, true)).toBe(minute);
});

test('The longer of two pauses of an integration counts, and none after it is saved', async () => {
  const work = await freshTable();
  const subject = { id: 1, version: 1, now: 500 };
  for (const until of [2_000, 1_000]) await pauseUntil(work, subject, until);
  expect(receiverHealthOf(await pauseUntil(work, subject, 1_500), 1, 500).askedUntil).toBe(2_000);
  expect(receiverHealthOf(await pauseUntil(work, { ...subject, version: 2 }, 1_000), 2, 500).askedUntil).toBe(1_000);
});
