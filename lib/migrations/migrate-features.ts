import { migrateFeature } from '../features/items/migrate-feature.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { scanKeys } from '../store/scan.ts';

/**
 * Brings all features of earlier releases to the layout of this one. Release 0.1 listed them nowhere, and the one after it
 * only those that are live, so they are looked for in the whole table.
 */
export async function* migrateFeatures(request: Request, from: Key | undefined): AsyncGenerator<Key | undefined> {
  const { pk: prefix, sk } = keys.feature('');
  for await (const { items: found, next } of scanKeys(request, { prefix, sk }, from)) {
    const names = found.map(({ pk }) => pk.slice(prefix.length));
    await Promise.all(names.map((name) => request.store.limiter(() => migrateFeature(request, name))));
    yield next;
  }
}
