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

/** The number of items that count the referrers of a thing, so that writers who refer to the same one seldom meet. */
export const referrerShards = 4;
