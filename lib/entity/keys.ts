import { itemKey, itemsUnder, shardName } from '../store/client/definition.ts';

/* The keys and lists of referrers. */

/** The partition with one item per referrer of a thing, and the items that count them. */
export const referrersPartition = (kind: string, id: string) => `REFERRERS#${kind}#${id}`;
export const referrer = (kind: string, id: string, by: string) => itemKey(referrersPartition(kind, id), `BY#${by}`);
export const referrers = (kind: string, id: string) => itemsUnder(referrersPartition(kind, id), 'BY#');

/** The number of items that count the referrers of a thing, so that concurrent writers seldom conflict. */
export const referrerShards = 4;
export const referrerCount = (kind: string, id: string, shard: number) =>
  itemKey(referrersPartition(kind, id), `COUNT#${shardName(shard)}`);
