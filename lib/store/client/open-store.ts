import pLimit from 'p-limit';
import { BoundedMap } from '../../values/cache.ts';
import { ShardPicker } from '../transactions/shard-picker.ts';
import type { Store } from '../work.ts';
import { createStoreClient, unavailableError } from './client.ts';
import { findInProcessStore } from './in-process.ts';
import { isAwsEndpoint } from './network.ts';

interface StoreOptions {
  /** The name of its table. */
  readonly name: string;
  /** The address of a compatible store, on the network or in this process; undefined for DynamoDB in the function's region. */
  readonly endpoint?: string | undefined;
}

/** The most concurrent requests of one operation. More would only compete for the processor. */
const inFlightMax = 16;

/** Opens a store, without a request to it. @internal */
export function openStore({ name, endpoint }: StoreOptions): Store {
  return {
    name,
    client: createStoreClient(endpoint),
    isMetered: !endpoint || isAwsEndpoint(endpoint),
    limiter: pLimit(inFlightMax),
    readLimiter: pLimit(inFlightMax),
    shardPicker: new ShardPicker(),
    awaitDurable: () => findInProcessStore(endpoint)?.awaitDurable()?.catch(throwUnavailable),
    assertSound() {
      try {
        findInProcessStore(endpoint)?.assertSound();
      } catch (error) {
        throwUnavailable(error);
      }
    },
  };
}

function throwUnavailable(error: unknown): never {
  throw unavailableError(error);
}

/** The open stores by address and table. A process has one; tests have many, of which only the last ones are kept. */
const opened = new BoundedMap<string, Store>(30);

/** Opens the store of the environment variables `TABLE_NAME` and `DYNAMODB_ENDPOINT`, or returns it if it is open. */
export function openEnvironmentStore(): Store {
  const { TABLE_NAME = 'flagstaff', DYNAMODB_ENDPOINT } = process.env;
  const id = `${DYNAMODB_ENDPOINT ?? ''} ${TABLE_NAME}`;
  const store = opened.get(id) ?? openStore({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  opened.set(id, store);
  return store;
}
