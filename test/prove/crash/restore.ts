import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Request } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import type { Item } from '../../harness/items.ts';

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** AWS's documented limit of one BatchWriteItem. */
const batchMax = 25;

/** Makes a table hold what it held before. */
export async function restore(table: Request, now: readonly Item[], before: readonly Item[]): Promise<void> {
  const idOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;
  const textsNow = new Map(now.map((item) => [idOf(item), JSON.stringify(item)]));
  const ids = new Set(before.map(idOf));
  const requests: WriteRequest[] = [
    ...before
      .filter((item) => textsNow.get(idOf(item)) !== JSON.stringify(item))
      .map((Item) => ({ PutRequest: { Item } })),
    ...now.filter((item) => !ids.has(idOf(item))).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  const batches = Array.from({ length: Math.ceil(requests.length / batchMax) }, (_, index) =>
    requests.slice(index * batchMax, (index + 1) * batchMax),
  );
  await Promise.all(batches.map((batch) => table.store.limiter(() => write(table, batch))));
}

async function write({ store: { client, name } }: Request, batch: WriteRequest[]): Promise<void> {
  const { UnprocessedItems } = await client.send(new BatchWriteCommand({ RequestItems: { [name]: batch } }));
  if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('The store did not restore all items.');
}
