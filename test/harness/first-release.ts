import { readFileSync } from 'node:fs';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '../../lib/features/items/chunks.ts';
import type { Request } from '../../lib/request.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import * as keys from '../../lib/store/keys.ts';

export type StoredItem = Key & Readonly<Record<string, unknown>>;

/** The items of a store that release 0.1 wrote: features in every state that it allowed, tokens, users, kept requests. */
export function firstReleaseItems(): StoredItem[] {
  return fixture('store-0.1.json');
}

/** The same store after its first migration and some changes of its features, without tokens and users. */
export function firstMigrationItems(): StoredItem[] {
  return fixture('store-migration-1.json');
}

/** A store without most of its 40 features that are all alike: as good for most tests, and migrated much faster. */
export function withoutMany(items: readonly StoredItem[]): StoredItem[] {
  const isLeftOut = ({ pk, sk }: Key) => /(?:^|#)many-(?![0-3]\b)/.test(`${pk}#${sk}`);
  const left = items.filter((item) => !isLeftOut(item));
  const environment = keys.featureEnvironment('', 'development').sk;
  const on = items.filter((item) => isLeftOut(item) && item.sk === environment && item.enabled === true).length;
  // They are counted together, as one change switched them.
  const counted = 'enabledToggleCount:development';
  const [counts] = left.filter((item) => Number(item[counted]) >= on);
  return left.map((item) => (item === counts ? { ...item, [counted]: Number(item[counted]) - on } : item));
}

function fixture(name: string): StoredItem[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));
}

export async function putItems({ store: { name, client } }: Request, items: readonly StoredItem[]): Promise<void> {
  for (const chunk of chunksOf(items, 25)) {
    await client.send(
      new BatchWriteCommand({ RequestItems: { [name]: chunk.map((Item) => ({ PutRequest: { Item } })) } }),
    );
  }
}
