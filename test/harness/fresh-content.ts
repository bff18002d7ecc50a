import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { makeSecret } from '../../lib/identity/tokens/token.ts';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import type { Seed } from '../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../lib/imports/seed/seed-store.ts';
import type { Request } from '../../lib/request.ts';
import { transactionWritesMax } from '../../lib/store/transactions/write.ts';
import { chunksOf } from '../../lib/values/lists.ts';

/** Items as the store itself writes them. */
export type StoredItems = readonly Record<string, AttributeValue>[];

const adminToken = makeSecret('admin');

/** Contents of every new store, with the admin token; and the same by seed. */
let fresh: StoredItems | undefined;
const seeded = new WeakMap<Seed, StoredItems>();

/**
 * Gives an empty table what every store holds, an admin token and a seed. The first one of a kind in a process is prepared
 * as a service prepares its store, and read; those that follow receive a copy, which takes a fraction of the time.
 * @returns the admin token.
 */
export async function fillFresh(table: Request, seed?: Seed): Promise<string> {
  const known = seed && seeded.get(seed);
  if (known !== undefined) {
    await putItems(table, known);
    return adminToken;
  }
  if (fresh === undefined) {
    await inRealTime(() => prepareStore(table, { adminTokens: [adminToken] }));
    fresh = await itemsOf(table);
  } else {
    await putItems(table, fresh);
  }
  if (seed !== undefined) {
    await inRealTime(() => seedStore(table, seed));
    seeded.set(seed, await itemsOf(table));
  }
  return adminToken;
}

/** Carries out an action at the time of this machine, since files of tests that have set no other one receive copies, too. */
async function inRealTime(action: () => Promise<unknown>): Promise<void> {
  const set = vi.getMockedSystemTime();
  if (set !== null) vi.setSystemTime(vi.getRealSystemTime());
  await action();
  if (set !== null) vi.setSystemTime(set);
}

/** Puts items into a table. */
export async function putItems({ store: { name: TableName, client } }: Request, items: StoredItems): Promise<void> {
  for (const chunk of chunksOf(items, transactionWritesMax)) {
    await client.send('TransactWriteItems', { TransactItems: chunk.map((Item) => ({ Put: { TableName, Item } })) });
  }
}

async function itemsOf({ store: { name: TableName, client } }: Request): Promise<StoredItems> {
  const { Items = [], LastEvaluatedKey } = await client.send('Scan', { TableName });
  if (LastEvaluatedKey !== undefined) throw new Error('The content of a fresh store is larger than a page.');
  return Items;
}
