import { invalid } from '../errors.ts';
import { sha256 } from '../values/sha256.ts';

/** The identity of a request under a caller's key, and what distinguishes it from another one with the same key. */
export interface RequestIdentity {
  /** The caller and the key, neither of which can be derived from it. */
  readonly id: string;
  /** A hash of the request and the key: without that, which is kept nowhere, nobody guesses a password in the body by it. */
  readonly fingerprint: string;
  /** The hash of the request alone that release 0.2 has kept. */
  readonly earlierFingerprint: string;
  /** True if its caller has not shown who they are. */
  readonly isAnybodys?: boolean;
}

/** A request as a caller sent it. */
export interface KeyedRequest {
  readonly key: string;
  /** The caller's secret: what one caller has sent, another one must not be answered. */
  readonly secret: string;
  readonly method: string;
  readonly path: string;
  /** As it was sent; empty for none. */
  readonly query: string;
  /** The value of `If-Match`, on which it may depend whether the request is carried out. */
  readonly ifMatch?: string | undefined;
  /** As it was sent. */
  readonly body: string;
}

/**
 * Identifies a request by its key.
 * @throws ApiError 400 for a key that is not 1 to 255 visible characters of ASCII.
 */
export function requestIdentityOf({ key, secret, method, path, query, ifMatch, body }: KeyedRequest): RequestIdentity {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('An idempotency-key has 1 to 255 visible ASCII characters and no space.');
  }
  const request = [method, query === '' ? path : `${path}?${query}`, body, ...(ifMatch === undefined ? [] : [ifMatch])];
  return {
    id: hashOf([secret, key]),
    fingerprint: hashOf([key, secret, ...request]),
    earlierFingerprint: hashOf(request),
  };
}

function hashOf(parts: readonly string[]): string {
  return sha256(JSON.stringify(parts));
}
