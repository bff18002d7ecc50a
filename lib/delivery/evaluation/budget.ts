/**
 * The error of an evaluation that would exceed its budget. It is one shared object, since it is thrown for each undecided flag, and
 * collecting a stack trace takes longer than evaluating most flags.
 */
export const overBudget = new Error('The evaluation exceeds its budget.');

/** The most work of a request of an SDK: 0.2 of the 0.3 seconds that the whole request may take. */
export const requestWorkMax = 200_000_000;

/** The most work of a request of the playground: 2 of the 3 seconds that the whole request may take. */
export const playgroundWorkMax = 2_000_000_000;

/**
 * The work that all evaluations of one request may take together. Work is counted in the nanoseconds that a slow processor takes
 * at worst, and not timed, so that a request has the same result on every machine. Only work that grows with the length of the
 * request is counted; all other work is in proportion to the stored flags.
 */
export class WorkBudget {
  #remaining: number;
  readonly #error: Error;

  /** @param error the error that `spend` throws. */
  constructor(nanoseconds: number, error: Error = overBudget) {
    this.#remaining = nanoseconds;
    this.#error = error;
  }

  /** @throws Error if less remains. Then nothing is spent, so that a cheaper evaluation may still succeed. */
  spend(nanoseconds: number): void {
    if (nanoseconds > this.#remaining) throw this.#error;
    this.#remaining -= nanoseconds;
  }
}
