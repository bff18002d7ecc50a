import { expect, test } from 'vitest';
import { type Clock, Pace } from '../../../../lib/integrations/sending/pace.ts';

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

test('A pace is a second from one request to the next, and no hour where the clock is set back by one', async () => {
  const clock = new SetClock();
  const pace = new Pace(clock, { atOnce: 5, pauseMs: 1_000 });
  await pace.turn();
  await pace.turn();
  expect(clock.slept).toBe(1_000);
  clock.set(-3_600_000);
  await pace.turn();
  expect(clock.slept).toBe(1_000);
  await pace.turn();
  expect(clock.slept).toBe(2_000);
});

test('A pause that a receiver asks for ends, too, where the clock is set back', async () => {
  const clock = new SetClock();
  const pace = new Pace(clock, { atOnce: 5, pauseMs: 0 });
  expect(pace.holdFor(10_000)).toBe(true);
  clock.set(-3_600_000);
  await pace.turn();
  expect(clock.slept).toBeLessThanOrEqual(10_000);
});
