import type { AttributeValue, WriteRequest } from '@aws-sdk/client-dynamodb';
import { ApiError } from '../errors.ts';
import { callStore, pause } from './client/call-store.ts';
import type { Key } from './client/definition.ts';
import { marshall, unmarshall } from './client/marshall.ts';
import type { OutputOf } from './client/operations.ts';
import type { Attributes } from './item.ts';
import type { Work } from './work.ts';

/* Items of any kind, for backups and tests that read or write the content of a whole store. */

export type RawItem = Key & Attributes;

/** Reads all items of the table in DynamoDB's order, page by page. The pages are read at different times. */
export async function* scanPages(work: Work): AsyncGenerator<RawItem[]> {
  let start: Record<string, AttributeValue> | undefined;
  do {
    const page: OutputOf<'Scan'> = await callStore(work.store, [work], 'Scan', {
      TableName: work.store.name,
      ConsistentRead: true,
      ExclusiveStartKey: start,
    });
    yield (page.Items ?? []).map(unmarshall) as unknown as RawItem[];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

/** AWS's documented limit of one BatchWriteItem. */
export const batchWritesMax = 25;
/** The most requests for one batch. DynamoDB leaves writes unprocessed if it is busy. */
const batchRoundsMax = 30;

/**
 * Puts and removes at most 25 items, without conditions and without a transaction: after an interruption, some are written.
 * @throws ApiError 503 if the store stays busy.
 */
export async function writeBatch(work: Work, puts: readonly RawItem[], removals: readonly Key[] = []): Promise<void> {
  const { name } = work.store;
  let writes: WriteRequest[] = [
    ...puts.map((item) => ({ PutRequest: { Item: marshall(item) } })),
    ...removals.map(({ pk, sk }) => ({ DeleteRequest: { Key: marshall({ pk, sk }) } })),
  ];
  for (let round = 0; writes.length > 0; round += 1) {
    if (round === batchRoundsMax) throw new ApiError('ServiceUnavailable', 'The store is busy; try again.');
    if (round > 0) await pause(Math.random() * 50 * 2 ** Math.min(round, 6), work);
    const { UnprocessedItems } = await callStore(work.store, [work], 'BatchWriteItem', {
      RequestItems: { [name]: writes },
    });
    writes = UnprocessedItems?.[name] ?? [];
  }
}
