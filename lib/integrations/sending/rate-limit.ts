import pLimit, { type LimitFunction } from 'p-limit';

/** Time, as those who send know it. Tests move it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The longest pause for which requests wait in their turn. */
const longestPauseMs = 10_000;

/** The limit of one process that sends to an integration: so many queues at once, and a pause between requests. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #pauseMs: number;
  readonly #places: LimitFunction;
  /** The last run of each queue that is not over. */
  readonly #runs = new Map<string, Promise<unknown>>();
  #nextAt = 0;

  constructor(clock: Clock, { atOnce, pauseMs }: { readonly atOnce: number; readonly pauseMs: number }) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
    this.#places = pLimit(atOnce);
  }

  /** Carries something out once what came before it for the same queue is over, and there is room for it. */
  async inQueue<T>(name: string, action: () => Promise<T>): Promise<T> {
    const before = this.#runs.get(name);
    const run = Promise.allSettled([before]).then(() => this.#places(action));
    this.#runs.set(name, run);
    try {
      return await run;
    } finally {
      if (this.#runs.get(name) === run) this.#runs.delete(name);
    }
  }

  /** Waits for the turn of the next request. */
  async turn(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const waitMs = this.#nextAt - now;
      // A longer one was set by a clock that was ahead.
      if (waitMs <= 0 || waitMs > longestPauseMs) {
        this.#nextAt = now + this.#pauseMs;
        return;
      }
      await this.#clock.sleep(waitMs);
    }
  }

  /** Lets all requests wait for a pause that the receiver asks for. @returns false for a long one: queues would be kept too long. */
  pauseFor(milliseconds: number): boolean {
    if (milliseconds === 0 || milliseconds > longestPauseMs) return false;
    this.#nextAt = Math.max(this.#nextAt, this.#clock.now() + milliseconds);
    return true;
  }
}
