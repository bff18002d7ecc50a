import { invalid } from '../errors.ts';
import { sha256 } from '../values/sha256.ts';

/** The identity of a request with an idempotency key. */
export interface RequestIdentity {
  /** A hash of the caller and the key. */
  readonly id: string;
  /**
   * A hash of the request and the key, by which requests with the same key are distinguished. The key is stored nowhere, so a
   * reader of the store cannot use the hash to guess a password in the body.
   */
  readonly fingerprint: string;
  /** The hash of the request alone, which release 0.2 stored. */
  readonly earlierFingerprint: string;
  /** True if the caller was not authenticated. */
  readonly isAnonymous?: boolean;
}

/** A request as a caller sent it. */
export interface KeyedRequest {
  readonly key: string;
  /** The caller's secret: no caller may get the reply to another caller's request. */
  readonly secret: string;
  readonly method: string;
  readonly path: string;
  /** The text as it was sent; may be empty. */
  readonly query: string;
  /** The value of `If-Match`. */
  readonly ifMatch?: string | undefined;
  /** The text as it was sent. */
  readonly body: string;
}

/**
 * Identifies a request by its key.
 * @throws ApiError 400 for a key that is not 1 to 255 visible characters of ASCII.
 */
export function requestIdentityOf({ key, secret, method, path, query, ifMatch, body }: KeyedRequest): RequestIdentity {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('An idempotency-key consists of 1 to 255 visible ASCII characters, without spaces.');
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
