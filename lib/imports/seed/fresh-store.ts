import { assertWhole } from '../../backup/restore-state.ts';
import { invalidRequest } from '../../errors.ts';
import { migrate, migrationStateWrite } from '../../migrations/migrate.ts';
import type { Request } from '../../request.ts';
import * as keys from '../../store/keys.ts';
import { readItem } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import { addInitTokens, assertInitTokens, type InitTokens } from '../../tokens/init-tokens.ts';
import { freshData } from './fresh-data.ts';
import { readSeed, type Seed } from './seed-data.ts';
import { seedStore } from './seed-store.ts';

/** The content for a store. Each start adds missing tokens, and removes none. */
export interface Preparation extends InitTokens {
  /** Further data for a fresh store. A store in use ignores the data, but its problems are always reported. */
  readonly seed?: Seed | undefined;
}

/**
 * Prepares a store: adds the first content to a fresh one, migrates one of an older release, and adds missing tokens. A second
 * call completes an interrupted one.
 * @returns true if the store was fresh, or only partly prepared.
 * @throws ApiError 400 whose details name every problem of the seed, or an invalid token; nothing is written then. 404 for a
 * token of an unknown project or environment; 409 for a store whose restore is incomplete.
 */
export async function prepareStore(request: Request, { seed, ...initTokens }: Preparation): Promise<boolean> {
  assertInitTokens(initTokens);
  await assertWhole(request);
  const seeded = keys.seeded();
  const fresh = (await readItem(request, seeded)) === undefined;
  if (fresh) {
    const builtIn = readSeed(freshData);
    // The built-in content comes first, so that it takes precedence over the file.
    await seedStore(
      request,
      seed === undefined ? builtIn : { ...seed, entries: [...builtIn.entries, ...seed.entries] },
    );
    // Written last, so that it shows that everything before it is complete.
    const write = { put: seeded, item: { seededAt: new Date().toISOString() } };
    await transact(request, [write, migrationStateWrite()], undefined);
  } else {
    if (seed !== undefined && seed.problems.length > 0) throw invalidRequest(seed.problems);
    await migrate(request);
  }
  await addInitTokens(request, initTokens);
  return fresh;
}
