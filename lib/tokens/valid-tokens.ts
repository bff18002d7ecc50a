import { ApiError } from '../errors.ts';
import { identify } from '../identity/caller.ts';
import { identityTrustMs, isRemembered } from '../identity/identity-memory.ts';
import { hashOf, mayBeSdkSecret, type TokenScope } from '../identity/tokens/token.ts';
import { scopeOf } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import { cachePerObject } from '../values/cache.ts';
import { isWithin, type Moment, readClocks } from '../values/time.ts';

/** Burst of lookups of unknown secrets, and their number per second after that. */
const lookupsMax = 100;
const lookupsPerSecond = 20;

/**
 * Secrets that this process has looked up in vain within `identityTrustMs`: asked about again, they cost nothing. As
 * only so many are looked up, there are never more than two hundred, for all callers together.
 */
class UnknownSecrets {
  /** Times of lookups by the hash of the secret, the oldest first. */
  readonly #since = new Map<string, Moment>();
  #lookups = lookupsMax;
  #countedAt = performance.now();

  /**
   * Runs a lookup, unless it was in vain a moment ago; then the result is undefined. Only lookups in vain count.
   * @throws ApiError 429 after too many of them.
   */
  async lookUp<T>(hash: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    this.#forgetOld();
    if (this.#since.has(hash)) return undefined;
    this.#refill();
    if (this.#lookups < 1) {
      throw new ApiError('TooManyRequests', 'Too many unknown tokens; try again in a second.');
    }
    this.#lookups -= 1;
    const found = await find();
    if (found === undefined) this.#since.set(hash, readClocks());
    else this.#lookups += 1;
    return found;
  }

  #refill(): void {
    const at = performance.now();
    this.#lookups = Math.min(lookupsMax, this.#lookups + ((at - this.#countedAt) / 1_000) * lookupsPerSecond);
    this.#countedAt = at;
  }

  #forgetOld(): void {
    for (const [hash, since] of this.#since) {
      if (isWithin(since, identityTrustMs)) return;
      this.#since.delete(hash);
    }
  }
}

interface ValidToken extends TokenScope {
  readonly token: string;
  readonly type: 'client' | 'frontend';
}

/** Memories by open store. */
const unknownSecretsOf = cachePerObject((_: Request['store']) => new UnknownSecrets());

/**
 * Returns those of the secrets that are valid SDK tokens, each once, with their scope. Anybody may ask, so the store is
 * asked only about texts with the format of a token, and not again for a while about those that nobody has.
 * @throws ApiError 429 if too many unknown ones are asked about.
 */
export async function validTokensAmong(request: Request, secrets: readonly string[]): Promise<ValidToken[]> {
  const unknown = unknownSecretsOf(request.store);
  const asked = [...new Set(secrets)].filter(mayBeSdkSecret);
  const found = await Promise.all(
    asked.map((secret) => {
      const [hash, find] = [hashOf(secret), () => identify(request, secret, { throughOutage: true })];
      return isRemembered(request, hash) ? find() : unknown.lookUp(hash, find);
    }),
  );
  return asked.flatMap((token, index) => {
    const known = found[index];
    const scope = known && scopeOf(known);
    return scope === undefined ? [] : [{ token, type: known?.kind === 'frontend' ? 'frontend' : 'client', ...scope }];
  });
}
