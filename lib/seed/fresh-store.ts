import { invalidRequest } from '../errors.ts';
import { migrate, migratedWrite } from '../migrations/migrate.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { addAdminTokens, assertAdminSecrets } from '../users/tokens.ts';
import { type Findings, nothingFound } from './findings.ts';
import { freshData } from './fresh-data.ts';
import { merged } from './merge.ts';
import type { SeedData } from './seed-data.ts';
import { seedStore } from './seed-store.ts';

export interface Preparation {
  /** Further data for a fresh store; a store in use ignores it. */
  readonly seed?: SeedData | undefined;
  /** What is wrong with the file that the seed was read from, which is named for any store. */
  readonly found?: Findings | undefined;
  /** Secrets of admin tokens. Those that are missing are added, at every start; none is ever removed. */
  readonly adminTokens: readonly string[];
}

/**
 * Gives a fresh store its first content, one of an older release the layout of this one, and any store its admin tokens. Cut off in the middle, the next call completes
 * it.
 * @returns whether the store was fresh, or only half prepared.
 * @throws ApiError 400 whose details name every problem of the seed, or an admin token that cannot be one; nothing is
 * written then.
 */
export async function prepareStore(
  table: Table,
  { seed, found = nothingFound, adminTokens }: Preparation,
): Promise<boolean> {
  assertAdminSecrets(adminTokens);
  const seeded = keys.seeded();
  const fresh = (await readItem(table, seeded)) === undefined;
  if (!fresh && found.problems.length > 0) throw invalidRequest(found.problems);
  if (fresh) {
    await seedStore(table, seed === undefined ? freshData : merged(freshData, seed), found);
    // Last, so that it speaks for all that comes before it.
    const write = { put: seeded, item: { seededAt: new Date().toISOString() } };
    await transact(table, [write, migratedWrite()], undefined);
  } else {
    await migrate(table);
  }
  await addAdminTokens(table, adminTokens);
  return fresh;
}
