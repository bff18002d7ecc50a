import pLimit, { type LimitFunction } from 'p-limit';

/** Time, as those who send know it. Tests move it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The longest pause for which requests wait in their turn. */
const heldMs = 10_000;

/** The pace at which an integration is sent to: so many lanes at once, and a pause from one request to the next. */
export class Pace {
  /** Carries something out once there is room for it. */
  readonly inLane: LimitFunction;
  readonly #clock: Clock;
  readonly #pauseMs: number;
  #nextAt = 0;
  #heldUntil = 0;
  #counted = 0;
  #readAt = 0;

  constructor(clock: Clock, { atOnce, pauseMs }: { readonly atOnce: number; readonly pauseMs: number }) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
    this.inLane = pLimit(atOnce);
  }

  /** Counts a request. @returns how many they are since the last time that they were `enough`; 0 where they are fewer. */
  count(enough: number): number {
    this.#counted += 1;
    if (this.#counted < enough) return 0;
    const counted = this.#counted;
    this.#counted = 0;
    return counted;
  }

  /** Lets all requests wait for a pause that the receiver asks for. @returns false for a long one: lanes would be kept too long. */
  holdFor(milliseconds: number): boolean {
    if (milliseconds === 0 || milliseconds > heldMs) return false;
    this.#heldUntil = Math.max(this.#heldUntil, this.#now() + milliseconds);
    return true;
  }

  /** Waits for the turn of the next request. */
  async turn(): Promise<void> {
    for (;;) {
      const now = this.#now();
      const at = Math.max(now, this.#heldUntil, this.#pauseMs === 0 ? 0 : this.#nextAt);
      this.#nextAt = at + this.#pauseMs;
      if (at > now) await this.#clock.sleep(at - now);
      if (this.#now() >= this.#heldUntil) return;
    }
  }

  /** Reads the clock. Where that was set back, the times that it was asked to wait for may be hours ahead, and count no more. */
  #now(): number {
    const now = this.#clock.now();
    if (now < this.#readAt) [this.#nextAt, this.#heldUntil] = [0, 0];
    this.#readAt = now;
    return now;
  }
}
