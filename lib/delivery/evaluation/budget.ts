/**
 * Thrown where an evaluation would take more work than is left. It is one error for all, since it is thrown for each flag
 * that is left undecided, and a stack takes longer than most flags.
 */
export const overBudget = new Error('The evaluation takes more work than is left.');

/** The most work of a request of an SDK: 0.2 seconds, which leaves a third of what it may take for all else. */
export const requestWorkMax = 200_000_000;

/** The most work of a request of the playground: two seconds, of the three that it may take with its explanations. */
export const playgroundWorkMax = 2_000_000_000;

/**
 * The work that the evaluations of one request may take together. It is counted, not timed, so that the same request has the
 * same result on every machine: in nanoseconds that a slow processor takes at worst. Only work that grows with the length
 * of what was sent is counted; all else is in proportion to what is stored.
 */
export class WorkBudget {
  #left: number;
  readonly #error: Error;

  /** @param error is thrown where there is not enough left. */
  constructor(most: number, error: Error = overBudget) {
    this.#left = most;
    this.#error = error;
  }

  /** @throws Error where less is left; then nothing is spent, and less may still be enough for something else. */
  spend(nanoseconds: number): void {
    if (nanoseconds > this.#left) throw this.#error;
    this.#left -= nanoseconds;
  }
}
