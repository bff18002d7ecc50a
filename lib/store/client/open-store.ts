import pLimit from 'p-limit';
import { BoundedMap } from '../../values/cache.ts';
import { Rotation } from '../transactions/rotation.ts';
import type { Store } from '../work.ts';
import { createStoreClient, unavailableError } from './client.ts';
import { storeAt } from './in-process.ts';
import { isCloud } from './network.ts';

interface StoreOptions {
  /** The name of its table. */
  readonly name: string;
  /**
   * The address of a DynamoDB-compatible store, over the network or in this process; without it, AWS's own in the function's
   * region.
   */
  readonly endpoint?: string | undefined;
}

/**
 * The most requests of one kind that an operation on thousands of things has in flight. More only fight for the
 * processor.
 */
const inFlightMax = 16;

/** Opens a store without talking to it. @internal */
export function openStore({ name, endpoint }: StoreOptions): Store {
  return {
    name,
    client: createStoreClient(endpoint),
    isMetered: !endpoint || isCloud(endpoint),
    limiter: pLimit(inFlightMax),
    readLimiter: pLimit(inFlightMax),
    rotation: new Rotation(),
    kept: () => storeAt(endpoint)?.kept()?.catch(throwUnavailable),
    assertSound() {
      try {
        storeAt(endpoint)?.assertSound();
      } catch (error) {
        throwUnavailable(error);
      }
    },
  };
}

function throwUnavailable(error: unknown): never {
  throw unavailableError(error);
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
