/** The address of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Returns a text that identifies a key, to find things by it. */
export function keyText({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

/** A partition, or the part of it whose sort keys begin with `prefix`, or stand between that and `end`, both included. */
export interface Partition {
  readonly pk: string;
  readonly prefix?: string;
  readonly end?: string;
}

/** The part of a partition whose sort keys begin alike. */
export type Prefixed = Omit<Partition, 'end'> & { readonly prefix: string };

/** Returns the key of an item. */
export const itemKey = (pk: string, sk: string): Key => ({ pk, sk });

/** Returns the part of a partition whose sort keys begin with a prefix. */
export const itemsUnder = (pk: string, prefix: string): Prefixed => ({ pk, prefix });

/** Sorts as the number does. */
export const padded = (id: number) => String(id).padStart(16, '0');

/** The name of one of several items that share a sum. */
export const shardName = (shard: number) => String(shard).padStart(2, '0');

/** Returns the keys of what stands under its id in a partition, or in the part of it that a prefix names. */
export const keysIn =
  ({ pk, prefix = '' }: Partition) =>
  (id: string | number): Key => ({ pk, sk: `${prefix}${typeof id === 'number' ? padded(id) : id}` });

/** The partition of the index. Its sort keys rise with time, and DynamoDB splits by them what becomes large or busy. */
export const eventLog = 'EVENTS';

/** The definition of the table, for all that create it: the local runtime, the tests and the stack. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'expiresAtSeconds',
  /** Lists the items of events by time. It holds no event, so that an event costs one write unit more, whatever its size. */
  eventLog: { name: 'eventLog', partitionKey: 'log', sortKey: 'at', attributes: ['about'] },
} as const;
