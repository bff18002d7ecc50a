import { migrateFeature } from '../features/migrate-feature.ts';
import { type Key, keys } from '../table/keys.ts';
import { scanKeys } from '../table/scan.ts';
import type { Table } from '../table/table.ts';

/**
 * 1: brings all features of release 0.1 to the layout that keeps whether they are on apart from their strategies, and
 * lists them in their projects. That release listed them nowhere, hence the one scan.
 */
export async function* relistFeatures(table: Table, from: Key | undefined): AsyncGenerator<Key | undefined> {
  const { pk: prefix, sk } = keys.feature('');
  for await (const { keys: found, next } of scanKeys(table, { prefix, sk }, from)) {
    const names = found.map(({ pk }) => pk.slice(prefix.length));
    await Promise.all(names.map((name) => table.limiter(() => migrateFeature(table, name))));
    yield next;
  }
}
