import { type Key, type Prefixed, shardName } from '../store/client/definition.ts';

/* The keys and lists of the referrers of things. */

/** The referrers of a thing, an item each, and their number. */
export const referrersPartition = (kind: string, id: string) => `REFERRERS#${kind}#${id}`;
export const referrer = (kind: string, id: string, by: string): Key => ({
  pk: referrersPartition(kind, id),
  sk: `BY#${by}`,
});
export const referrers = (kind: string, id: string): Prefixed => ({ pk: referrersPartition(kind, id), prefix: 'BY#' });

/** The number of items that count the referrers of a thing, so that writers who refer to the same one seldom meet. */
export const referrerShards = 4;
export const referrerCount = (kind: string, id: string, shard: number): Key => ({
  pk: referrersPartition(kind, id),
  sk: `COUNT#${shardName(shard)}`,
});
