import type { BatchWriteCommandInput, ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../errors.ts';
import { ask, pause } from './client/ask.ts';
import { batchWrite, scan } from './client/commands.ts';
import type { Key } from './client/definition.ts';
import type { Attributes } from './item.ts';
import type { Work } from './work.ts';

/* Items as they are stored, for what keeps or replaces the content of a whole store and asks nothing about its meaning. */

export type WholeItem = Key & Attributes;

/** Reads all items of the table in the store's own order, page by page, each page as of a moment of its own. */
export async function* allPages(work: Work): AsyncGenerator<WholeItem[]> {
  const { name: TableName, client } = work.store;
  let start: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const command = scan({
      ...{ TableName, ConsistentRead: true, ExclusiveStartKey: start },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const page: ScanCommandOutput = await ask([work], 'readUnits', (options) => client.send(command, options));
    yield (page.Items ?? []) as WholeItem[];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

/** AWS's documented limit of one BatchWriteItem. */
export const batchWritesMax = 25;
/** The store leaves writes for another request when it is busy. */
const batchRoundsMax = 30;

type BatchWrite = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/**
 * Puts and removes at most 25 items, whatever is there, each by itself: cut off, some of it is done.
 * @throws ApiError 503 where the store stays busy.
 */
export async function writeBatch(work: Work, puts: readonly WholeItem[], removals: readonly Key[] = []): Promise<void> {
  const { name, client } = work.store;
  let writes: BatchWrite[] = [
    ...puts.map((Item) => ({ PutRequest: { Item } })),
    ...removals.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  for (let round = 0; writes.length > 0; round += 1) {
    if (round === batchRoundsMax) throw new ApiError('ServiceUnavailable', 'The store is busy; try again.');
    if (round > 0) await pause(Math.random() * 50 * 2 ** Math.min(round, 6), work);
    const command = batchWrite({ RequestItems: { [name]: writes }, ReturnConsumedCapacity: 'TOTAL' });
    const { UnprocessedItems } = await ask([work], 'writeUnits', (options) => client.send(command, options));
    writes = UnprocessedItems?.[name] ?? [];
  }
}
