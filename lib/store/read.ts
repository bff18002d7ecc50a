import { ApiError } from '../errors.ts';
import { callStore, pause, type StoreCaller } from './client/call-store.ts';
import { coalesce } from './client/coalesce.ts';
import { eventLogPartition, type Key, keyText, type Partition, tableDefinition } from './client/definition.ts';
import { marshall, unmarshall } from './client/marshall.ts';
import type { InputOf, OutputOf } from './client/operations.ts';
import * as keys from './keys.ts';
import type { Work } from './work.ts';

type Item = Record<string, unknown>;

/** AWS's documented limit of one BatchGetItem. */
const batchKeysMax = 100;
/** The most requests for one batch. DynamoDB leaves keys unprocessed if it is busy or a response exceeds 16 MB. */
const batchRoundsMax = 30;

/** Tells whether a key is within DynamoDB's limits: its two parts are not empty and not too long. */
function isKey({ pk, sk }: Key): boolean {
  return isPartitionKey(pk) && isSortKey(sk);
}

function isSortKey(sk: string): boolean {
  return sk !== '' && Buffer.byteLength(sk) <= 1024;
}

function isPartitionKey(pk: string): boolean {
  return pk !== '' && Buffer.byteLength(pk) <= 2048;
}

/** A read of one item, and who waits for it. */
interface ItemRead {
  readonly key: Key;
  readonly caller: StoreCaller;
}

const readCoalesced = coalesce(
  (work, reads: readonly ItemRead[]) => work.store.readLimiter(() => readBatch(work, reads)),
  {
    most: batchKeysMax,
  },
);

/** Reads one item, strongly consistently. Reads of the same moment share one request. */
export async function readItem<T>(work: Work, key: Key): Promise<T | undefined> {
  // DynamoDB refuses the whole request, with the reads of others, if one key is invalid.
  if (!isKey(key)) return undefined;
  return (await readCoalesced(work, { key, caller: work })) as T | undefined;
}

/** Reads items, strongly consistently, in the order of the keys; undefined for each that does not exist. */
export function readItems<T>(work: Work, keys: readonly Key[]): Promise<(T | undefined)[]> {
  return Promise.all(keys.map((key) => readItem<T>(work, key)));
}

async function readBatch({ store }: Work, reads: readonly ItemRead[]): Promise<(Item | undefined)[]> {
  const callers = reads.map(({ caller }) => caller);
  const items = new Map<string, Item>();
  const keys = new Map(reads.map(({ key: { pk, sk } }) => [keyText({ pk, sk }), marshall({ pk, sk })]));
  let missing = [...keys.values()];
  for (let round = 0; missing.length > 0; round += 1) {
    if (round === batchRoundsMax) throw new ApiError('ServiceUnavailable', 'The store is busy; try again.');
    if (round > 1) await pause(Math.random() * 20 * round, {});
    const { Responses, UnprocessedKeys } = await callStore(store, callers, 'BatchGetItem', {
      RequestItems: { [store.name]: { Keys: missing, ConsistentRead: true } },
    });
    for (const item of (Responses?.[store.name] ?? []).map(unmarshall)) items.set(keyText(item as never), item);
    missing = UnprocessedKeys?.[store.name]?.Keys ?? [];
  }
  return reads.map(({ key }) => items.get(keyText(key)));
}

export interface QueryOptions {
  /** True for the highest sort key first. */
  readonly descending?: boolean;
  /** The sort key below which items are read. */
  readonly before?: string | undefined;
  /** The attributes that are read; all by default. DynamoDB still charges for whole items. */
  readonly attributes?: readonly string[] | undefined;
  /** The most items of a page. A page never exceeds 1 MB. */
  readonly pageSize?: number | undefined;
  /** The most items of the first page, for a reader that rarely needs more. */
  readonly firstPageSize?: number | undefined;
}

/** A read of one page, and who waits for it. */
interface PageRead {
  readonly query: InputOf<'Query'>;
  readonly caller: StoreCaller;
}

const readPageCoalesced = coalesce(readPage, { kindOf: ({ query }) => JSON.stringify(query) });

/** Makes one request for all reads, which have the same query. */
async function readPage({ store }: Work, reads: readonly PageRead[]): Promise<OutputOf<'Query'>[]> {
  const [{ query }] = reads as [PageRead];
  const callers = reads.map(({ caller }) => caller);
  const page = await callStore(store, callers, 'Query', query);
  return reads.map(() => page);
}

/** Reads the items of a partition, strongly consistently. Each page is a request, made when it is awaited. */
export async function* queryPages<T>(
  work: Work,
  { pk, prefix, end }: Partition,
  { descending = false, before, attributes, pageSize, firstPageSize = pageSize }: QueryOptions = {},
): AsyncGenerator<T[]> {
  if (!isPartitionKey(pk)) return;
  const range = rangeOf(prefix, end, before);
  // A text in a path may be too long for a key, so nothing can exist there.
  if (!Object.values(range.values).every(isSortKey)) return;
  const query = {
    KeyConditionExpression: `pk = :pk${range.condition}`,
    ExpressionAttributeValues: marshall({ ':pk': pk, ...range.values }),
    ScanIndexForward: !descending,
    ConsistentRead: true,
    ...(attributes && projection(attributes)),
  };
  yield* pagesOf(work, query, [firstPageSize, pageSize]);
}

/** The part of the index between two sort keys, inclusive. */
export interface IndexRange {
  readonly from: string;
  readonly to: string;
  /** True for the oldest first; by default, the newest is first. */
  readonly ascending?: boolean;
}

/** Reads a range of the index of events, page by page. The index may lag behind the table by a moment. */
export async function* queryEventLog<T>(work: Work, { from, to, ascending = false }: IndexRange): AsyncGenerator<T[]> {
  const { name, partitionKey, sortKey } = tableDefinition.eventLog;
  yield* pagesOf(work, {
    IndexName: name,
    KeyConditionExpression: '#log = :log AND #at BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#log': partitionKey, '#at': sortKey },
    ExpressionAttributeValues: marshall({ ':log': eventLogPartition, ':from': from, ':to': to }),
    ScanIndexForward: ascending,
  });
}

/** @param limits the most items of the first page, and of the others. */
async function* pagesOf<T>(
  work: Work,
  query: Omit<InputOf<'Query'>, 'TableName'>,
  [first, others]: readonly (number | undefined)[] = [],
): AsyncGenerator<T[]> {
  let start: OutputOf<'Query'>['LastEvaluatedKey'];
  do {
    const page: OutputOf<'Query'> = await readPageCoalesced(work, {
      caller: work,
      query: {
        TableName: work.store.name,
        ...query,
        Limit: start === undefined ? first : others,
        ExclusiveStartKey: start,
      },
    });
    yield (page.Items ?? []).map(unmarshall) as T[];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

function rangeOf(prefix: string | undefined, end: string | undefined, before: string | undefined) {
  if (before !== undefined) return { condition: ' AND sk < :sk', values: { ':sk': before } };
  if (prefix === undefined) return { condition: '', values: {} };
  if (end === undefined) return { condition: ' AND begins_with(sk, :sk)', values: { ':sk': prefix } };
  return { condition: ' AND sk BETWEEN :sk AND :end', values: { ':sk': prefix, ':end': end } };
}

/** Names attributes by placeholders, because a name may be a reserved word of DynamoDB. */
function projection(attributes: readonly string[]) {
  const names = attributes.map((name, index) => [`#a${index}`, name] as const);
  return {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
}

/** Reads all items of a partition, strongly consistently, in the order of their sort keys. */
export async function queryAll<T>(work: Work, partition: Partition, options?: QueryOptions): Promise<T[]> {
  const pages = await Array.fromAsync(queryPages<T>(work, partition, options));
  return pages.flat();
}

/**
 * Reads the highest number that a counter has given out; 0 if none. Read it before everything else, and write the next number on
 * the condition that it is still unused: then no addition of another writer is missed.
 */
export async function readCounter(work: Work, name: string): Promise<number> {
  const counter = await readItem<{ value: number }>(work, keys.counter(name));
  return counter?.value ?? 0;
}
