/** The time that some work may take. */
export interface TimeBudget {
  /** Tells whether nothing new may begin. What has begun is completed. */
  isOver(): boolean;
}

/** The budget of work that may take any time. */
export const endlessTime: TimeBudget = { isOver: () => false };

/** A budget that several kinds of work share. */
export class SharedTime implements TimeBudget {
  readonly #now: () => number;
  readonly #end: number;

  /** @param now a monotonic clock, in milliseconds. */
  constructor(milliseconds: number, now = () => performance.now()) {
    this.#now = now;
    this.#end = now() + milliseconds;
  }

  isOver(): boolean {
    return this.#now() >= this.#end;
  }

  /** Returns a budget of an equal part of the time that is left. */
  partOf(count: number): TimeBudget {
    return new SharedTime((this.#end - this.#now()) / count, this.#now);
  }
}
