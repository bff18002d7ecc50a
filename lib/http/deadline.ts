import { ApiError } from '../errors.ts';

/** The time reserved for the reply, so that callers get our error instead of the platform's. */
export const timeoutEarlyInMillis = 300;

/** The deadline of a request. When it passes, its signal aborts, and with it all calls of the request. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param remainingMs the remaining time of the invocation, from Lambda. */
  constructor(remainingMs: number) {
    this.#timer = setTimeout(() => this.#abort(), Math.max(0, remainingMs - timeoutEarlyInMillis));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for a promise until the deadline.
   * @throws the reason of the signal when it aborts.
   */
  whileThereIsTime(awaited: Promise<void>): Promise<void> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      awaited.then(resolve, reject);
    });
  }

  /** Clears the timer after the reply. */
  reached(): void {
    clearTimeout(this.#timer);
  }

  /** Clears the timer and aborts all calls that are still running, after a refusal. */
  givenUp(): void {
    clearTimeout(this.#timer);
    this.#abort();
  }

  #abort(): void {
    this.#controller.abort(new ApiError('ServiceUnavailable', 'The operation took too long; try again.'));
  }
}
