import { setTimeout as sleep } from 'node:timers/promises';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { SdkError } from '@smithy/types';
import { carryOut } from '../../activities.ts';
import { ApiError } from '../../errors.ts';
import { exceptionOf, isException } from './exceptions.ts';
import { damagedStoreName, findInProcessStore } from './in-process.ts';
import { closeConnections, createNetworkTransport } from './network.ts';
import type { InputOf, OutputOf, RequestOptions, StoreOperation, Transport } from './operations.ts';

interface SendOptions extends RequestOptions {
  /** Called before each retry. */
  readonly onRetry?: () => void;
}

/** A client of a store. */
export interface StoreClient {
  /**
   * Sends a request, with retries.
   * @throws ApiError 503 if the store is busy, damaged or unreachable; another Error for its other exceptions.
   */
  send<O extends StoreOperation>(operation: O, input: InputOf<O>, options?: SendOptions): Promise<OutputOf<O>>;
  /** Sends a request once, for `send`. Tests and proofs replace it to observe requests or to make them fail. */
  attempt: Transport;
  /** Closes the connections to all stores, at the end of a program. */
  destroy(): void;
}

// A retried transaction has the same token, so the store carries it out once. The pauses have full jitter, so that the clients of
// a busy store do not all retry at the same time. They add up to three seconds at most.
const attemptsMax = 6;
const pauseMs = (attempt: number) => Math.random() * Math.min(1_000, 50 * 2 ** attempt);

/** The seconds after which callers may retry with a damaged store, which an operator has to repair first. */
const damagedSeconds = 60;

/**
 * Creates a client.
 * @param endpoint the address of a store in this process or on the network; undefined for DynamoDB at AWS.
 */
export function createStoreClient(endpoint: string | undefined): StoreClient {
  let network: Transport | undefined;
  const client: StoreClient = {
    async attempt(operation, input, options) {
      const store = findInProcessStore(endpoint);
      if (store === undefined) {
        network ??= createNetworkTransport(endpoint);
        return network(operation, input, options);
      }
      const { status, body } = await store.answer(operation, input, options);
      if (status === 200) return body;
      // An in-process store waits for other writers itself, so retries would not help.
      throw toCallerError(exceptionOf(status, body));
    },
    async send<O extends StoreOperation>(operation: O, input: InputOf<O>, { onRetry, ...options }: SendOptions = {}) {
      for (let attempts = 1; ; attempts += 1) {
        try {
          const attempt = () => client.attempt(operation, input, options);
          return (await carryOut({ kind: 'store request', name: operation }, attempt)) as OutputOf<O>;
        } catch (error) {
          if (attempts === attemptsMax || !isWorthRetrying(error)) throw toCallerError(error);
        }
        await sleep(pauseMs(attempts), undefined, { signal: options.signal });
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

/** Turns the error of a store that is busy, unreachable or refuses our credentials into a 503. Returns other errors unchanged. */
function toCallerError(error: unknown): unknown {
  const temporary = [isThrottlingError, isTransientError, isServerError, isCredentialsError];
  const isUnavailable = !(error instanceof ApiError) && temporary.some((isOfKind) => isOfKind(error as SdkError));
  return isUnavailable ? unavailableError(error) : error;
}

/** Tells whether the store refuses the credentials. Expired ones are replaced while the process runs. */
function isCredentialsError({ name }: SdkError): boolean {
  return /^(ExpiredToken|InvalidSignature|UnrecognizedClient)Exception$|^CredentialsProviderError$/.test(name);
}

/** Returns a 503, so that callers try again and SDKs keep their last state. */
export function unavailableError(cause: unknown): ApiError {
  const isDamaged = isException(cause, damagedStoreName);
  const message = isDamaged
    ? 'The store is damaged, deleted or replaced. Trying again does not help; the log tells the operator what to do.'
    : 'The store is busy or unreachable; try again.';
  const retryAfterSeconds = isDamaged ? damagedSeconds : undefined;
  return Object.assign(new ApiError('ServiceUnavailable', message, undefined, { retryAfterSeconds }), { cause });
}
