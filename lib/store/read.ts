import { ApiError } from '../errors.ts';
import { ask, pause, type StoreCaller } from './client/ask.ts';
import { eventLog, type Key, keyText, type Partition, tableDefinition } from './client/definition.ts';
import { gathered } from './client/gather.ts';
import { marshall, unmarshall } from './client/marshall.ts';
import type { InputOf, OutputOf } from './client/operations.ts';
import type { Work } from './work.ts';

type Item = Record<string, unknown>;

/** AWS's documented limit of one BatchGetItem. */
const batchKeysMax = 100;
/** The store leaves keys for another request when it is busy or an answer exceeds 16 MB. */
const batchRoundsMax = 30;

/** AWS's documented limits of the two parts of a key, in bytes; neither may be empty. */
function isKey({ pk, sk }: Key): boolean {
  return isPartitionKey(pk) && isSortKey(sk);
}

function isSortKey(sk: string): boolean {
  return sk !== '' && Buffer.byteLength(sk) <= 1024;
}

function isPartitionKey(pk: string): boolean {
  return pk !== '' && Buffer.byteLength(pk) <= 2048;
}

/** A wanted item and its reader. */
interface Wanted {
  readonly key: Key;
  readonly asker: StoreCaller;
}

const wantedItem = gathered(
  (work, wanted: readonly Wanted[]) => work.store.readLimiter(() => readBatch(work, wanted)),
  {
    most: batchKeysMax,
  },
);

/** Reads one item, consistently. Reads that are asked for together share one request. */
export async function readItem<T>(work: Work, key: Key): Promise<T | undefined> {
  // A key that the store does not take would fail the whole request, and with it what others ask for.
  if (!isKey(key)) return undefined;
  return (await wantedItem(work, { key, asker: work })) as T | undefined;
}

/** Reads many items, consistently, in the order of their keys; what does not exist is undefined. */
export function readItems<T>(work: Work, keys: readonly Key[]): Promise<(T | undefined)[]> {
  return Promise.all(keys.map((key) => readItem<T>(work, key)));
}

async function readBatch({ store }: Work, all: readonly Wanted[]): Promise<(Item | undefined)[]> {
  const askers = all.map(({ asker }) => asker);
  const found = new Map<string, Item>();
  const keys = new Map(all.map(({ key: { pk, sk } }) => [keyText({ pk, sk }), marshall({ pk, sk })]));
  let wanted = [...keys.values()];
  for (let round = 0; wanted.length > 0; round += 1) {
    if (round === batchRoundsMax) throw new ApiError('ServiceUnavailable', 'The store is busy; try again.');
    if (round > 1) await pause(Math.random() * 20 * round, {});
    const { Responses, UnprocessedKeys } = await ask(store, askers, 'BatchGetItem', {
      RequestItems: { [store.name]: { Keys: wanted, ConsistentRead: true } },
    });
    for (const item of (Responses?.[store.name] ?? []).map(unmarshall)) found.set(keyText(item as never), item);
    wanted = UnprocessedKeys?.[store.name]?.Keys ?? [];
  }
  return all.map(({ key }) => found.get(keyText(key)));
}

export interface QueryOptions {
  /** Newest, or highest, first. */
  readonly descending?: boolean;
  /** Only items whose sort key is below this one. */
  readonly before?: string | undefined;
  /** Only these attributes; the store charges for whole items all the same. */
  readonly attributes?: readonly string[] | undefined;
  /** The maximum number of items of a page; a page never exceeds 1 MB. */
  readonly pageSize?: number | undefined;
}

/** A page that is asked for, and who asks. */
interface WantedPage {
  readonly query: InputOf<'Query'>;
  readonly asker: StoreCaller;
}

const wantedPage = gathered(readPage, { kindOf: ({ query }) => JSON.stringify(query) });

/** One request for all who ask for the same. */
async function readPage({ store }: Work, alike: readonly WantedPage[]): Promise<OutputOf<'Query'>[]> {
  const [{ query }] = alike as [WantedPage];
  const askers = alike.map(({ asker }) => asker);
  const page = await ask(store, askers, 'Query', query);
  return alike.map(() => page);
}

/** The items of a partition, consistently, page by page: each page is one request, made when it is asked for. */
export async function* queryPages<T>(
  work: Work,
  { pk, prefix, end }: Partition,
  { descending = false, before, attributes, pageSize }: QueryOptions = {},
): AsyncGenerator<T[]> {
  if (!isPartitionKey(pk)) return;
  const range = rangeOf(prefix, end, before);
  // A path may name more than the store takes as a key, so that nothing can be there.
  if (!Object.values(range.values).every(isSortKey)) return;
  yield* pagesOf(work, {
    KeyConditionExpression: `pk = :pk${range.condition}`,
    ExpressionAttributeValues: marshall({ ':pk': pk, ...range.values }),
    ScanIndexForward: !descending,
    ConsistentRead: true,
    ...(attributes && projection(attributes)),
    Limit: pageSize,
  });
}

/** The part of the index between two sort keys, both included. */
export interface IndexRange {
  readonly from: string;
  readonly to: string;
  /** Oldest, rather than newest, first. */
  readonly ascending?: boolean;
}

/** Reads the index's items of events in a range, page by page. It may lag behind the table by a moment. */
export async function* queryEventLog<T>(work: Work, { from, to, ascending = false }: IndexRange): AsyncGenerator<T[]> {
  const { name, partitionKey, sortKey } = tableDefinition.eventLog;
  yield* pagesOf(work, {
    IndexName: name,
    KeyConditionExpression: '#log = :log AND #at BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#log': partitionKey, '#at': sortKey },
    ExpressionAttributeValues: marshall({ ':log': eventLog, ':from': from, ':to': to }),
    ScanIndexForward: ascending,
  });
}

async function* pagesOf<T>(work: Work, query: Omit<InputOf<'Query'>, 'TableName'>): AsyncGenerator<T[]> {
  let start: OutputOf<'Query'>['LastEvaluatedKey'];
  do {
    const page: OutputOf<'Query'> = await wantedPage(work, {
      asker: work,
      query: { TableName: work.store.name, ...query, ExclusiveStartKey: start },
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

/** Attributes by placeholders, since a name may be a word of the store's own. */
function projection(attributes: readonly string[]) {
  const names = attributes.map((name, index) => [`#a${index}`, name] as const);
  return {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
}

/** All items of a partition, consistently, in the order of their sort keys. */
export async function queryAll<T>(work: Work, partition: Partition, options?: QueryOptions): Promise<T[]> {
  const pages = await Array.fromAsync(queryPages<T>(work, partition, options));
  return pages.flat();
}
