import { migrateFeature } from '../features/migrate-feature.ts';
import type { Key } from '../table/definition.ts';
import * as keys from '../table/keys.ts';
import { scanKeys } from '../table/scan.ts';
import type { Table } from '../table/table.ts';

/**
 * Brings all features of earlier releases to the layout of this one. Release 0.1 listed them nowhere, and the one after it
 * only those that are live, so they are looked for in the whole table.
 */
export async function* migrateFeatures(table: Table, from: Key | undefined): AsyncGenerator<Key | undefined> {
  const { pk: prefix, sk } = keys.feature('');
  for await (const { items: found, next } of scanKeys(table, { prefix, sk }, from)) {
    const names = found.map(({ pk }) => pk.slice(prefix.length));
    await Promise.all(names.map((name) => table.limiter(() => migrateFeature(table, name))));
    yield next;
  }
}
