import { setTimeout as sleep } from 'node:timers/promises';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import { ApiError } from '../../errors.ts';
import { exceptionOf, isException } from './exceptions.ts';
import { damagedStore, storeAt } from './in-process.ts';
import { closeConnections, createNetworkTransport } from './network.ts';
import type { InputOf, OutputOf, RequestOptions, StoreOperation, Transport } from './operations.ts';

interface SendOptions extends RequestOptions {
  /** Called before each further attempt. */
  readonly onRetry?: () => void;
}

/** A client of a store. */
export interface StoreClient {
  /**
   * Sends a request, and again while that may help.
   * @throws ApiError 503 where the store is busy, damaged or out of reach; another Error for its other exceptions.
   */
  send<O extends StoreOperation>(operation: O, input: InputOf<O>, options?: SendOptions): Promise<OutputOf<O>>;
  /** Sends a request once, for `send`. Tests and proofs replace it, to see requests or to let them fail. */
  attempt: Transport;
  /** Closes the connections to all stores, as the end of a program. */
  destroy(): void;
}

// A repeated transaction has the same token, so that the store carries it out once. The pauses are random over their whole
// length, so that the clients of a busy store do not all come back at once; they add up to three seconds at most.
const attemptsMax = 6;
const pauseMs = (attempt: number) => Math.random() * Math.min(1_000, 50 * 2 ** attempt);

/** Seconds after which callers may try a damaged store again: somebody has to look after it first. */
const damagedSeconds = 60;

/**
 * Creates a client.
 * @param endpoint the address of a store of this process, or of one over the network; without it, DynamoDB itself.
 */
export function createStoreClient(endpoint: string | undefined): StoreClient {
  let network: Transport | undefined;
  const client: StoreClient = {
    async attempt(operation, input, options) {
      const store = storeAt(endpoint);
      if (store === undefined) {
        network ??= createNetworkTransport(endpoint);
        return network(operation, input, options);
      }
      const { status, body } = await store.answer(operation, input, options);
      if (status === 200) return body;
      // A store of this process has waited for others itself, so that no further attempt would help.
      throw toCallerError(exceptionOf(status, body));
    },
    async send<O extends StoreOperation>(operation: O, input: InputOf<O>, { onRetry, ...options }: SendOptions = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return (await client.attempt(operation, input, options)) as OutputOf<O>;
        } catch (error) {
          if (attempt === attemptsMax || !isWorthRetrying(error)) throw toCallerError(error);
        }
        await sleep(pauseMs(attempt), undefined, { signal: options.signal });
        onRetry?.();
      }
    },
    destroy: closeConnections,
  };
  return client;
}

function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof ApiError) && (isThrottlingError(error as SdkError) || isTransientError(error as SdkError));
}

/** Returns a 503 for the error of a store that is busy or out of reach, or that does not know us; any other error as it is. */
function toCallerError(error: unknown): unknown {
  const isPassing = [isThrottlingError, isTransientError, isServerError, isUnknownIdentity];
  const isUnavailable = !(error instanceof ApiError) && isPassing.some((is) => is(error as SdkError));
  return isUnavailable ? unavailableError(error) : error;
}

/** Credentials that have expired are replaced while the process runs. */
function isUnknownIdentity({ name }: SdkError): boolean {
  return /^(ExpiredToken|InvalidSignature|UnrecognizedClient)Exception$|^CredentialsProviderError$/.test(name);
}

/** Returns a 503: neither the caller nor this code is at fault, so callers may try again, and SDKs keep what they have. */
export function unavailableError(cause: unknown): ApiError {
  const isDamaged = isException(cause, damagedStore);
  const message = isDamaged
    ? 'The store is damaged, gone or replaced. Trying again does not help; the log tells the operator what to do.'
    : 'The store is busy or out of reach; try again.';
  const retryAfterSeconds = isDamaged ? damagedSeconds : undefined;
  return Object.assign(new ApiError('ServiceUnavailable', message, undefined, { retryAfterSeconds }), { cause });
}
