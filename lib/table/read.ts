import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetCommand, type BatchGetCommandOutput, paginateQuery } from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import { ApiError } from '../errors.ts';
import type { Table } from './client.ts';
import type { Key, Partition } from './keys.ts';

type Item = Record<string, unknown>;

/** AWS's documented limit of one BatchGetItem. */
const batchKeysMax = 100;
/** The store leaves keys for another request when it is busy or an answer exceeds 16 MB. */
const batchRoundsMax = 30;

/** AWS's documented limits of the two parts of a key, in bytes; neither may be empty. */
function isKey({ pk, sk }: Key): boolean {
  return pk !== '' && sk !== '' && Buffer.byteLength(pk) <= 2048 && Buffer.byteLength(sk) <= 1024;
}

const loaders = new WeakMap<Table, DataLoader<Key, Item | undefined, string>>();

const idOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/**
 * Reads one item, consistently. Reads that are asked for in the same turn of the event loop share one request, so an
 * operation states what it needs where it needs it and still waits once.
 */
export async function readItem<T>(table: Table, key: Key): Promise<T | undefined> {
  // A key that the store does not take would fail the whole request, and with it what others ask for.
  if (!isKey(key)) return undefined;
  let loader = loaders.get(table);
  if (loader === undefined) {
    // Nothing is kept: a loader that remembered would answer with a state that has passed.
    loader = new DataLoader((keys) => table.inTurn(() => readBatch(table, keys)), {
      cache: false,
      maxBatchSize: batchKeysMax,
    });
    loaders.set(table, loader);
  }
  return (await loader.load(key)) as T | undefined;
}

/** Reads many items, consistently, in the order of their keys; what does not exist is undefined. */
export function readItems<T>(table: Table, keys: readonly Key[]): Promise<(T | undefined)[]> {
  return Promise.all(keys.map((key) => readItem<T>(table, key)));
}

async function readBatch(table: Table, keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  let wanted: Key[] = [...new Map(keys.map((key) => [idOf(key), key])).values()];
  for (let round = 0; wanted.length > 0; round += 1) {
    if (round === batchRoundsMax) throw new ApiError('ServiceUnavailable', 'The store is busy; try again.');
    if (round > 1) await sleep(Math.random() * 20 * round);
    const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: wanted, ConsistentRead: true } } }),
    );
    for (const item of (Responses?.[table.name] ?? []) as Item[]) found.set(idOf(item as unknown as Key), item);
    wanted = (UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
  }
  return keys.map((key) => found.get(idOf(key)));
}

export interface QueryOptions {
  /** Newest, or highest, first. */
  readonly descending?: boolean;
  /** Only items whose sort key is below this one. */
  readonly before?: string | undefined;
  /** How many items a page holds at the most; a page never exceeds 1 MB. */
  readonly pageSize?: number | undefined;
}

/** The items of a partition, consistently, page by page: each page is one request, made when it is asked for. */
export async function* queryPages<T>(
  table: Table,
  { pk, prefix }: Partition,
  { descending = false, before, pageSize }: QueryOptions = {},
): AsyncGenerator<T[]> {
  const range =
    before === undefined
      ? { condition: ' AND begins_with(sk, :sk)', value: prefix }
      : { condition: ' AND sk < :sk', value: before };
  const pages = paginateQuery(
    { client: table.client, ...(pageSize !== undefined && { pageSize }) },
    {
      TableName: table.name,
      KeyConditionExpression: `pk = :pk${range.value === undefined ? '' : range.condition}`,
      ExpressionAttributeValues: { ':pk': pk, ...(range.value !== undefined && { ':sk': range.value }) },
      ScanIndexForward: !descending,
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) yield Items as T[];
}

/** All items of a partition, consistently, in the order of their sort keys. */
export async function queryAll<T>(table: Table, partition: Partition, options?: QueryOptions): Promise<T[]> {
  const pages = await Array.fromAsync(queryPages<T>(table, partition, options));
  return pages.flat();
}
