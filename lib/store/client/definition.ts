/** The address of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Returns a text that is unique to a key, for use in sets and maps. */
export function keyText({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

/** Returns the kind of an item: the name of its partition up to the first "#". */
export function kindOfItem({ pk }: Pick<Key, 'pk'>): string {
  return pk.split('#', 1)[0] ?? '';
}

/** A partition, or the part of it with sort keys that begin with `prefix`, or with sort keys from `prefix` to `end`, inclusive. */
export interface Partition {
  readonly pk: string;
  readonly prefix?: string;
  readonly end?: string;
}

/** The part of a partition with sort keys of one prefix. */
export type PrefixedPartition = Omit<Partition, 'end'> & { readonly prefix: string };

export const itemKey = (pk: string, sk: string): Key => ({ pk, sk });

export const itemsUnder = (pk: string, prefix: string): PrefixedPartition => ({ pk, prefix });

/** Pads an id with zeros, so that texts sort like the numbers. */
export const padId = (id: number) => String(id).padStart(16, '0');

/** Returns the end of the sort keys that begin with a time and are due. The ~ includes the longer keys of this very millisecond. */
export function dueUntil(now: Date): string {
  return `${now.toISOString()}~`;
}

/** Returns the name of a shard: one of several items whose numbers add up to one sum. */
export const shardName = (shard: number) => String(shard).padStart(2, '0');

/** Returns a function that maps an id to its key in a partition. */
export const keysIn =
  ({ pk, prefix = '' }: Partition) =>
  (id: string | number): Key => ({ pk, sk: `${prefix}${typeof id === 'number' ? padId(id) : id}` });

/** The one partition of the index of events. Its sort keys rise with time; DynamoDB splits a large or busy partition by them. */
export const eventLogPartition = 'EVENTS';

/** The definition of the table, for the local runtime, the tests and the stack. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'expiresAtSeconds',
  /** The index of events by time. It contains only outlines, so that it costs one write unit per event of any size. */
  eventLog: { name: 'eventLog', partitionKey: 'log', sortKey: 'at', attributes: ['about'] },
} as const;
