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

/** Content for a store. Missing tokens are added at every start; none is ever removed. */
export interface Preparation extends InitTokens {
  /** Further data for a fresh store. A store in use ignores it, but its problems are named for any store. */
  readonly seed?: Seed | undefined;
}

/**
 * Prepares a store: gives a fresh one its first content, migrates one of an older release, and adds tokens to any.
 * Interrupted, it is completed by the next call.
 * @returns true if the store was fresh, or only partly prepared.
 * @throws ApiError 400 whose details name every problem of the seed, or an invalid token; nothing is written then. 404
 * where a token is for a project or an environment that is not in the store, 409 where a restore has not come to its end.
 */
export async function prepareStore(request: Request, { seed, ...initTokens }: Preparation): Promise<boolean> {
  assertInitTokens(initTokens);
  await assertWhole(request);
  const seeded = keys.seeded();
  const fresh = (await readItem(request, seeded)) === undefined;
  if (fresh) {
    const built = readSeed(freshData);
    // Its own content comes first: what the file describes, too, is as it is here.
    await seedStore(request, seed === undefined ? built : { ...seed, entries: [...built.entries, ...seed.entries] });
    // Last, so that it speaks for all that comes before it.
    const write = { put: seeded, item: { seededAt: new Date().toISOString() } };
    await transact(request, [write, migrationStateWrite()], undefined);
  } else {
    if (seed !== undefined && seed.problems.length > 0) throw invalidRequest(seed.problems);
    await migrate(request);
  }
  await addInitTokens(request, initTokens);
  return fresh;
}
