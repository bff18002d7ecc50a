import type { LimitFunction } from 'p-limit';
import type { StoreClient } from './client/client.ts';
import type { StoreUsage } from './client/usage.ts';
import type { IdempotencyRecord } from './transactions/idempotency-record.ts';
import type { ShardPicker } from './transactions/shard-picker.ts';
import type { RightsCondition, Write } from './transactions/write.ts';

/** An open store, one per process. Reads of the same moment share a request to it. */
export interface Store {
  /** The name of its table. */
  readonly name: string;
  readonly client: StoreClient;
  /** True for a table at AWS, where each write costs money. */
  readonly isMetered: boolean;
  /** Limits concurrent calls. A call that runs in it must not use it again: both would wait forever. */
  readonly limiter: LimitFunction;
  /** A separate limit for reads by key, so that calls in `limiter` can wait for such reads. */
  readonly readLimiter: LimitFunction;
  /** Picks the shard for an `addToAny` write. */
  readonly shardPicker: ShardPicker;
  /**
   * Waits until everything that was answered so far is on disk; undefined if it is already.
   * @throws ApiError 503 if the disk fails.
   */
  awaitDurable(): Promise<void> | undefined;
  /**
   * Checks the file of an in-process store for problems that reads do not show.
   * @throws ApiError 503 if the file is damaged, deleted or replaced.
   */
  assertSound(): void;
}

/** The context of one caller's work on the store. A `Request` is one. */
export interface Work {
  readonly store: Store;
  /** The requests made to the store so far. */
  readonly usage: StoreUsage;
  /** Cancels the work: once it aborts, no further request is made. */
  readonly signal?: AbortSignal | undefined;
  /** True if the reply waits for `awaitDurable`, so that the single writes need not. */
  readonly replyAwaitsDurability?: boolean;
  /** The idempotency record that each transaction writes, if the request has an idempotency key. */
  readonly idempotencyRecord?: IdempotencyRecord | undefined;
  /** A condition of each transaction. */
  readonly condition?: Write;
  /** Returns further writes for each transaction, such as the conditions under which a change was approved. */
  readonly gate?: { extraWrites(writes: readonly Write[]): readonly Write[] };
  /** The rights of the caller, checked again by transactions that change rights; missing if the service itself acts. */
  readonly authority?: Authority | undefined;
  /** Warnings in plain words for the caller and the log. They must not contain anything that was sent. */
  readonly warnings: Set<string>;
}

/**
 * The rights of the caller of a request. They are read once and trusted for some seconds. A transaction that changes rights has
 * them as conditions as well, so that it succeeds only while its caller has them.
 */
export interface Authority {
  /** Returns the fewest conditions that guarantee every right that this request has used. */
  conditions(): readonly RightsCondition[];
  /**
   * Reads the rights again, after a condition failed.
   * @throws ApiError 401 or 403 if the caller has lost a right that this request has used.
   */
  renew(): Promise<void>;
  /** Records the writes of this request, which may take rights from its own caller and still continue. */
  noteWritten(writes: readonly Write[]): void;
}
