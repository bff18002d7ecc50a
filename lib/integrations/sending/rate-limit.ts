import pLimit, { type LimitFunction } from 'p-limit';

/** The time. Tests can move it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The longest pause for which requests wait in this process. */
const longestPauseMs = 10_000;

/** The limit of one process for an integration: a number of concurrent queues, and a pause between requests. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #pauseMs: number;
  readonly #slots: LimitFunction;
  /** The last unfinished run of each queue. */
  readonly #runs = new Map<string, Promise<unknown>>();
  #nextAt = 0;

  constructor(clock: Clock, { atOnce, pauseMs }: { readonly atOnce: number; readonly pauseMs: number }) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
    this.#slots = pLimit(atOnce);
  }

  /** Runs an action after earlier actions of the same queue, as soon as there is room. */
  async inQueue<T>(name: string, action: () => Promise<T>): Promise<T> {
    const before = this.#runs.get(name);
    const run = Promise.allSettled([before]).then(() => this.#slots(action));
    this.#runs.set(name, run);
    try {
      return await run;
    } finally {
      if (this.#runs.get(name) === run) this.#runs.delete(name);
    }
  }

  /** Waits until the next request may be sent. */
  async turn(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const waitMs = this.#nextAt - now;
      // A longer pause was set by a clock that was ahead.
      if (waitMs <= 0 || waitMs > longestPauseMs) {
        this.#nextAt = now + this.#pauseMs;
        return;
      }
      await this.#clock.sleep(waitMs);
    }
  }

  /** Delays all requests by the pause of a receiver. @returns false for a long pause, which would hold the leases too long. */
  pauseFor(milliseconds: number): boolean {
    if (milliseconds === 0 || milliseconds > longestPauseMs) return false;
    this.#nextAt = Math.max(this.#nextAt, this.#clock.now() + milliseconds);
    return true;
  }
}
