import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ConfiguredRetryStrategy, isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { InitializeMiddleware, SdkError } from '@smithy/types';
import pLimit from 'p-limit';
import { ApiError } from '../../errors.ts';
import { BoundedMap } from '../../values/memory.ts';
import { Rotation } from '../transactions/rotation.ts';
import type { Store } from '../work.ts';
import { isCloud } from './cloud.ts';
import { assertSoundInProcess, damagedStore, inProcess, keptInProcess, shorten } from './in-process.ts';
import { madeUpIdentity } from './made-up-identity.ts';
import { deserialization, useLeanSteps } from './steps.ts';

interface StoreOptions {
  readonly name: string;
  /**
   * The address of a DynamoDB-compatible store, over the network or in this process; without it, AWS's own in the function's
   * region.
   */
  readonly endpoint?: string | undefined;
}

// The SDK repeats a throttled or lost request with the same token, so that the repeat is harmless. Its own pauses after
// a throttled one add up to more than a caller waits; these are random over their whole length and end within three seconds.
const attemptsMax = 6;
const pauseMs = (attempt: number) => Math.random() * Math.min(1_000, 50 * 2 ** attempt);
/**
 * An answer of the store takes milliseconds. One that takes this long was lost on the way, as happens where a connection
 * stays open to nothing; the repeat is on time for a caller whom API Gateway gives up after 30 seconds, and so is the
 * sixth.
 */
const silenceMs = 3_000;
/**
 * The most requests of one kind that an operation on thousands of things has in flight. More only fight for the
 * processor.
 */
const inFlightMax = 16;

/** One kept-alive connection per concurrent call: setting up connections is most of the SDK's time otherwise. */
const agents = {
  httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 128 }),
  httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 128 }),
};

/** Seconds after which callers may try a damaged store again: somebody has to look after it first. */
const damagedSeconds = 60;

/** Opens a store without talking to it. */
export function openStore({ name, endpoint }: StoreOptions): Store {
  const isMetered = endpoint === undefined || endpoint === '' || isCloud(endpoint);
  const client = new DynamoDBClient({
    requestHandler: {
      ...agents,
      connectionTimeout: silenceMs,
      requestTimeout: silenceMs,
      // Without it, the time-out of a request is a line in the log.
      throwOnRequestTimeout: true,
      // The request's time-out ends with the first byte of the answer; this one holds until the last.
      socketTimeout: silenceMs,
    },
    ...(endpoint && { endpoint: networkAddress(endpoint), ...(!isCloud(endpoint) && localIdentity()) }),
  });
  // One for each request: all requests of one strategy share a budget of repeats, and once a bad hour has used that up,
  // none of them is repeated any more.
  client.config.retryStrategy = async () => new ConfiguredRetryStrategy(attemptsMax, pauseMs);
  useLeanSteps(client);
  // The outermost step: it sees what is left after the SDK has tried again.
  client.middlewareStack.add(unavailability, { step: 'initialize' });
  if (endpoint !== undefined && !isCloud(endpoint)) {
    const { host } = new URL(networkAddress(endpoint));
    client.middlewareStack.add(inProcess(endpoint, host), { step: 'deserialize', priority: 'low' });
    const read = deserialization(client.config);
    shorten(client, endpoint, (store, context) => unavailability(read(store, context), context));
  }
  return {
    name,
    // The document client is the same with its commands' translation around it, which those of the table do themselves.
    client: client as unknown as DynamoDBDocumentClient,
    isMetered,
    limiter: pLimit(inFlightMax),
    readLimiter: pLimit(inFlightMax),
    rotation: new Rotation(),
    kept: () => (endpoint === undefined ? undefined : keptInProcess(endpoint)?.catch(throwUnavailable)),
    assertSound() {
      try {
        if (endpoint !== undefined) assertSoundInProcess(endpoint);
      } catch (error) {
        throwUnavailable(error);
      }
    },
  };
}

/** The SDK takes no other addresses than those of the network; nobody has this one. */
const networkAddress = (endpoint: string) => (/^https?:/i.test(endpoint) ? endpoint : 'http://in-process.invalid');

// biome-ignore lint/suspicious/noExplicitAny: the step is for commands of all kinds.
const unavailability: InitializeMiddleware<any, any> = (next) => (args) => next(args).catch(rethrowUnavailable);

/**
 * A store that is busy, out of reach, or does not know us any more, is not our mistake and not the caller's: they may try again,
 * and SDKs get what is known.
 */
function rethrowUnavailable(error: SdkError): never {
  if (![isThrottlingError, isTransientError, isServerError, isStranger].some((isPassing) => isPassing(error)))
    throw error;
  throwUnavailable(error);
}

/** Credentials that have expired are replaced while the process runs. */
function isStranger({ name }: SdkError): boolean {
  return /^(ExpiredToken|InvalidSignature|UnrecognizedClient)Exception$|^CredentialsProviderError$/.test(name);
}

function throwUnavailable(cause: unknown): never {
  const isDamaged = cause instanceof Error && cause.name === damagedStore;
  const message = isDamaged
    ? 'The store is damaged, gone or replaced. Trying again does not help; the log tells the operator what to do.'
    : 'The store is busy or out of reach; try again.';
  const retryAfterSeconds = isDamaged ? damagedSeconds : undefined;
  throw Object.assign(new ApiError('ServiceUnavailable', message, undefined, { retryAfterSeconds }), { cause });
}

/** A store that is not AWS's takes any identity, but the SDK insists on one. */
function localIdentity() {
  const { AWS_REGION: region = 'us-east-1', AWS_ACCESS_KEY_ID } = process.env;
  return { region, ...(AWS_ACCESS_KEY_ID === undefined && madeUpIdentity(region)) };
}

/** A process has one; one that goes from store to store, as tests do, keeps no more than these open. */
const opened = new BoundedMap<string, Store>(30);

/** The store that the environment names (`TABLE_NAME`, `DYNAMODB_ENDPOINT`), opened once. */
export function environmentStore(): Store {
  const { TABLE_NAME = 'flagstaff', DYNAMODB_ENDPOINT } = process.env;
  const id = `${DYNAMODB_ENDPOINT ?? ''} ${TABLE_NAME}`;
  const store = opened.get(id) ?? openStore({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  opened.set(id, store);
  return store;
}
