import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LimitFunction } from 'p-limit';
import type { Authority } from './authority.ts';
import type { Receipt } from './receipt.ts';
import type { Rotation } from './rotation.ts';
import type { StoreUsage } from './usage.ts';
import type { Write } from './write.ts';

/**
 * An open table. Reads that are requested at the same moment, or while another request of the kind is under way, share a
 * request to the store.
 */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  /** Limits how much is under way at once. What it has let through must not ask it again, or both would wait for ever. */
  readonly limiter: LimitFunction;
  /** A limit of its own for reads by key, so that what `limiter` has let through may wait for them. */
  readonly readLimiter: LimitFunction;
  /** Deals out the items of which a transaction takes any. */
  readonly rotation: Rotation;
  /** What the holder of this table has asked of the store. */
  readonly usage: StoreUsage;
  /** Ends what the holder of this table has under way: from then on nothing is asked of the store for it. */
  readonly signal?: AbortSignal | undefined;
  /** What the transactions of the holder leave behind; nothing where none is wanted. */
  readonly receipt?: Receipt;
  /** The versions of which the thing that is changed must have one, as `If-Match` says; missing where any will do. */
  readonly expectedVersions?: ReadonlySet<number>;
  /** Projects that the holder must not see: reads leave out what belongs to them. */
  readonly hiddenProjects?: ReadonlySet<string>;
  /**
   * The same projects, for changes, too: what a caller names of them does not exist. A change reads them all the same, since
   * what it keeps true, such as that nothing refers to what is gone, holds for all projects.
   */
  readonly unseenProjects?: ReadonlySet<string>;
  /** What the holder and an operator should know, in words for both: the log keeps them, and nothing that was sent. */
  readonly warnings: Set<string>;
  /** What must hold for each transaction of the holder to be carried out; missing where nothing must. */
  readonly guard?: Write;
  /** The rights of the caller, for transactions that change who may do what; missing where the service itself acts. */
  readonly authority?: Authority;
}

/** Whether the holder must not see a project, and what belongs to it. */
export function isHidden({ hiddenProjects }: Table, project: string | null | undefined): boolean {
  return project != null && hiddenProjects?.has(project) === true;
}

/** Whether a project, and what belongs to it, does not exist for the holder, to read or to change. */
export function isUnseen({ unseenProjects }: Table, project: string | null | undefined): boolean {
  return project != null && unseenProjects?.has(project) === true;
}
