import { expect, test } from 'vitest';
import { type Clock, RateLimit } from '../../../../lib/integrations/sending/rate-limit.ts';

/** A clock that stands, but for those who sleep and those who set it. */
class SetClock implements Clock {
  #now = Date.parse('2026-11-27T12:00:00Z');
  slept = 0;

  now(): number {
    return this.#now;
  }

  set(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    this.slept += milliseconds;
  }
}

test('A rate limit keeps a second between requests, and not an hour if the clock is set back by one', async () => {
  const clock = new SetClock();
  const rateLimit = new RateLimit(clock, { atOnce: 5, pauseMs: 1_000 });
  await rateLimit.turn();
  await rateLimit.turn();
  expect(clock.slept).toBe(1_000);
  clock.set(-3_600_000);
  await rateLimit.turn();
  expect(clock.slept).toBe(1_000);
  await rateLimit.turn();
  expect(clock.slept).toBe(2_000);
});

test('The pause of a receiver ends even if the clock is set back', async () => {
  const clock = new SetClock();
  const rateLimit = new RateLimit(clock, { atOnce: 5, pauseMs: 0 });
  expect(rateLimit.pauseFor(10_000)).toBe(true);
  clock.set(-3_600_000);
  await rateLimit.turn();
  expect(clock.slept).toBeLessThanOrEqual(10_000);
});

test('Runs of a queue follow each other, and no other queue waits for them', async () => {
  const rateLimit = new RateLimit(new SetClock(), { atOnce: 2, pauseMs: 0 });
  const done: string[] = [];
  const { promise: answer, resolve } = Promise.withResolvers<void>();
  const first = rateLimit.inQueue('a', () => answer.then(() => void done.push('a1')));
  const second = rateLimit.inQueue('a', async () => void done.push('a2'));
  await rateLimit.inQueue('b', async () => void done.push('b'));
  resolve();
  await Promise.all([first, second]);
  expect(done).toEqual(['b', 'a1', 'a2']);
});
