import { itemKey, type Partition, shardName } from '../store/client/definition.ts';

/* The keys and lists of environments. */

export const environments = (): Partition => ({ pk: 'ENVIRONMENTS' });
/** Counts the changes of all environments. */
export const environmentsRevision = () => itemKey('ENVIRONMENTS', 'REVISION');
/**
 * The number of items that the counts of environments are spread over. A transaction writes to any one of them. With 64 shards, 16
 * processes that change different features conflict in less than a tenth of their transactions. The list of environments reads
 * all shards.
 */
const shardCount = 64;
export const environmentCountShards = /* @__PURE__ */ Array.from({ length: shardCount }, (_, shard) =>
  itemKey('ENVIRONMENTS', `COUNTS#${shardName(shard)}`),
);
