import { BatchWriteCommand, type BatchWriteCommandInput, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Request } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';

/** An item as the store holds it. */
export type Item = Key & Readonly<Record<string, unknown>>;

/**
 * Reads the same as `contentOf` once nothing moves any more: requests of a dead process may still be carried out for a
 * moment.
 */
export async function contentAtRest(table: Request): Promise<Item[]> {
  let text = '';
  for (;;) {
    const items = await contentOf(table);
    const next = JSON.stringify(items);
    if (next === text) return items;
    text = next;
  }
}

/** Reads all items of a table, in order. */
export async function contentOf({ store: { client, name: TableName } }: Request): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    );
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items.map(inOrder).toSorted((a, b) => compare(a.pk, b.pk) || compare(a.sk, b.sk));
}

/** Sorts the attributes of an item, which the store returns in any order. */
function inOrder(item: Item): Item {
  return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => compare(a, b))) as Item;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

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
