import type { LimitFunction } from 'p-limit';
import type { StoreClient } from './client/client.ts';
import type { StoreUsage } from './client/usage.ts';
import type { Authority } from './transactions/authority.ts';
import type { Receipt } from './transactions/receipt.ts';
import type { Rotation } from './transactions/rotation.ts';
import type { Write } from './transactions/write.ts';

/**
 * An open store, one for each process. Reads that are requested at the same moment, or while another request of the
 * kind is under way, share a request to it.
 */
export interface Store {
  /** The name of its table. */
  readonly name: string;
  readonly client: StoreClient;
  /** True for a table at AWS, where each write costs money. */
  readonly isMetered: boolean;
  /**
   * Limits the calls that are under way at once. A call that it has let through must not ask it again, or both would
   * wait for ever.
   */
  readonly limiter: LimitFunction;
  /** A limit of its own for reads by key, so that what `limiter` has let through may wait for them. */
  readonly readLimiter: LimitFunction;
  /** Deals out the items of which a transaction takes any. */
  readonly rotation: Rotation;
  /**
   * Waits until all is on disk that its answers have told of so far; undefined where it is.
   * @throws ApiError 503 where the disk does not take it.
   */
  kept(): Promise<void> | undefined;
  /**
   * Looks after what reads alone do not show; a store over the network has nothing of the kind.
   * @throws ApiError 503 where its file is damaged, gone or replaced.
   */
  assertSound(): void;
}

/** A unit of work on the store: what one caller asks of it, how long, and under which conditions. */
export interface Work {
  readonly store: Store;
  /** The requests made to the store so far. */
  readonly usage: StoreUsage;
  /** Ends all work that is under way: from then on nothing is asked of the store. */
  readonly signal?: AbortSignal | undefined;
  /** True where what is made of the answers waits until the store has `kept` them, so that the answers themselves need not. */
  readonly replyWaits?: boolean;
  /** The items that its transactions leave behind; none if it is missing. */
  readonly receipt?: Receipt | undefined;
  /** A condition of each of its transactions. */
  readonly guard?: Write;
  /** Writes of each of its transactions besides those given, such as the conditions on which it was let through. */
  readonly gate?: { extraWrites(writes: readonly Write[]): readonly Write[] };
  /** The rights of the caller, for transactions that change who may do what; missing where the service itself acts. */
  readonly authority?: Authority | undefined;
  /** Warnings for the caller and the operator, in words for both: the log keeps them, and nothing that was sent. */
  readonly warnings: Set<string>;
}
