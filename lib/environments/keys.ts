import { itemKey, type Partition, shardName } from '../store/client/definition.ts';

/* The keys and lists of environments. */

export const environments = (): Partition => ({ pk: 'ENVIRONMENTS' });
/** Counts the changes of all environments. */
export const environmentsRevision = () => itemKey('ENVIRONMENTS', 'REVISION');
/**
 * The number of items that share the counts of environments. A transaction takes any of them, so that 16 writers of
 * different features conflict in less than a tenth even if each is a process of its own; the list of environments reads
 * them all.
 */
const countShards = 64;
export const environmentCounts = /* @__PURE__ */ Array.from({ length: countShards }, (_, shard) =>
  itemKey('ENVIRONMENTS', `COUNTS#${shardName(shard)}`),
);
