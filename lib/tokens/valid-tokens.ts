import { ApiError } from '../errors.ts';
import { identify } from '../identity/caller.ts';
import { identityTrustMs, isRemembered } from '../identity/identity-memory.ts';
import { hashOf, mayBeSdkSecret, type TokenScope } from '../identity/tokens/token.ts';
import { scopeOf } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import { cachePerObject } from '../values/cache.ts';
import { isWithin, type Moment, readClocks } from '../values/time.ts';

/** Look-ups of unknown secrets: the most at the same time, and per second after that. */
const lookupsMax = 100;
const lookupsPerSecond = 20;

/**
 * Unknown secrets that this process has looked up within `identityTrustMs`. They are not looked up again. Because of the rate limit,
 * there are at most 200.
 */
class UnknownSecrets {
  /** Times of look-ups by the hash of the secret, oldest first. */
  readonly #since = new Map<string, Moment>();
  #lookups = lookupsMax;
  #refilledAt = performance.now();

  /**
   * Looks up a secret, unless it was unknown a moment ago. Only unknown secrets count.
   * @throws ApiError 429 for too many unknown secrets.
   */
  async lookUp<T>(hash: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    this.#forgetOld();
    if (this.#since.has(hash)) return undefined;
    this.#refill();
    if (this.#lookups < 1) {
      throw new ApiError('TooManyRequests', 'Too many unknown tokens; try again in a second.');
    }
    this.#lookups -= 1;
    const token = await find();
    if (token === undefined) this.#since.set(hash, readClocks());
    else this.#lookups += 1;
    return token;
  }

  #refill(): void {
    const at = performance.now();
    this.#lookups = Math.min(lookupsMax, this.#lookups + ((at - this.#refilledAt) / 1_000) * lookupsPerSecond);
    this.#refilledAt = at;
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
 * Lists the valid SDK tokens among some secrets, without duplicates. Anybody may ask, so the store is asked only about texts with the
 * format of a token, and not again for some seconds about unknown ones.
 * @throws ApiError 429 for too many unknown secrets.
 */
export async function listValidTokens(request: Request, secrets: readonly string[]): Promise<ValidToken[]> {
  const unknown = unknownSecretsOf(request.store);
  const candidates = [...new Set(secrets)].filter(mayBeSdkSecret);
  const tokens = await Promise.all(
    candidates.map((secret) => {
      const [hash, find] = [hashOf(secret), () => identify(request, secret, { throughOutage: true })];
      return isRemembered(request, hash) ? find() : unknown.lookUp(hash, find);
    }),
  );
  return candidates.flatMap((secret, index) => {
    const token = tokens[index];
    const scope = token && scopeOf(token);
    return scope === undefined
      ? []
      : [{ token: secret, type: token?.kind === 'frontend' ? 'frontend' : 'client', ...scope }];
  });
}
