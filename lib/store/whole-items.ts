import type { AttributeValue, WriteRequest } from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors.ts';
import { ask, pause } from './client/ask.ts';
import type { Key } from './client/definition.ts';
import { marshall, unmarshall } from './client/marshall.ts';
import type { OutputOf } from './client/operations.ts';
import type { Attributes } from './item.ts';
import type { Work } from './work.ts';

/* Items as they are stored, for what keeps or replaces the content of a whole store and asks nothing about its meaning. */

export type WholeItem = Key & Attributes;

/** Reads all items of the table in the store's own order, page by page, each page as of a moment of its own. */
export async function* allPages(work: Work): AsyncGenerator<WholeItem[]> {
  let start: Record<string, AttributeValue> | undefined;
  do {
    const page: OutputOf<'Scan'> = await ask(work.store, [work], 'Scan', {
      TableName: work.store.name,
      ConsistentRead: true,
      ExclusiveStartKey: start,
    });
    yield (page.Items ?? []).map(unmarshall) as unknown as WholeItem[];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

/** AWS's documented limit of one BatchWriteItem. */
export const batchWritesMax = 25;
/** The store leaves writes for another request when it is busy. */
const batchRoundsMax = 30;

/**
 * Puts and removes at most 25 items, whatever is there, each by itself: cut off, some of it is done.
 * @throws ApiError 503 where the store stays busy.
 */
export async function writeBatch(work: Work, puts: readonly WholeItem[], removals: readonly Key[] = []): Promise<void> {
  const { name } = work.store;
  let writes: WriteRequest[] = [
    ...puts.map((item) => ({ PutRequest: { Item: marshall(item) } })),
    ...removals.map(({ pk, sk }) => ({ DeleteRequest: { Key: marshall({ pk, sk }) } })),
  ];
  for (let round = 0; writes.length > 0; round += 1) {
    if (round === batchRoundsMax) throw new ApiError('ServiceUnavailable', 'The store is busy; try again.');
    if (round > 0) await pause(Math.random() * 50 * 2 ** Math.min(round, 6), work);
    const { UnprocessedItems } = await ask(work.store, [work], 'BatchWriteItem', { RequestItems: { [name]: writes } });
    writes = UnprocessedItems?.[name] ?? [];
  }
}
