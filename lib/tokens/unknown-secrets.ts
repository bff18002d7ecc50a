import { ApiError } from '../errors.ts';
import { identityTrustMs } from '../people/rights/identity-memory.ts';

/** How many secrets that nobody has are looked up at once, and how many more in each second after that. */
const lookupsMax = 100;
const lookupsPerSecond = 20;

/**
 * Secrets that this process has looked up in vain within `identityTrustMs`: asked about again, they cost nothing. As only
 * so many are looked up, there are never more than two hundred, whoever asks.
 */
export class UnknownSecrets {
  /** When each was looked up, by its hash, the oldest first. */
  readonly #since = new Map<string, number>();
  #lookups = lookupsMax;
  #countedAt = performance.now();

  /**
   * What a lookup finds; undefined without one for what was looked up in vain a moment ago. Only lookups in vain count.
   * @throws ApiError 429 while there were too many of these.
   */
  async lookUp<T>(hash: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    this.#forgetOld();
    if (this.#since.has(hash)) return undefined;
    this.#refill();
    if (this.#lookups < 1) {
      throw new ApiError('TooManyRequests', 'Too many unknown tokens were asked about; try again in a second.');
    }
    this.#lookups -= 1;
    const found = await find();
    if (found === undefined) this.#since.set(hash, performance.now());
    else this.#lookups += 1;
    return found;
  }

  #refill(): void {
    const now = performance.now();
    this.#lookups = Math.min(lookupsMax, this.#lookups + ((now - this.#countedAt) / 1_000) * lookupsPerSecond);
    this.#countedAt = now;
  }

  #forgetOld(): void {
    const old = performance.now() - identityTrustMs;
    for (const [hash, since] of this.#since) {
      if (since > old) return;
      this.#since.delete(hash);
    }
  }
}
