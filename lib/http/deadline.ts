import { ApiError } from '../errors.ts';

/** Answered early enough for the caller to receive an error of ours instead of the platform's. */
export const timeoutEarlyInMillis = 300;

/** Deadline of a request. Its signal aborts when the time is over, and everything under way with it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param remainingMs time left to the invocation, as Lambda reports it. */
  constructor(remainingMs: number) {
    this.#timer = setTimeout(() => this.#abort(), Math.max(0, remainingMs - timeoutEarlyInMillis));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for something for as long as there is time.
   * @throws the reason of the signal once it aborts.
   */
  whileThereIsTime(awaited: Promise<void>): Promise<void> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      awaited.then(resolve, reject);
    });
  }

  /** Ends the deadline of a request that was answered: nothing of it is under way. */
  reached(): void {
    clearTimeout(this.#timer);
  }

  /** Ends a refused request, with everything of it that may still be under way. */
  givenUp(): void {
    clearTimeout(this.#timer);
    this.#abort();
  }

  #abort(): void {
    this.#controller.abort(new ApiError('ServiceUnavailable', 'The operation took too long; try again.'));
  }
}
