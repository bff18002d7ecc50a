import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { takeEventIds } from '../events/event-ids.ts';
import { assertFits } from '../table/item.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import type { Addition } from './addition.ts';
import { commitsOf } from './commits.ts';
import { type Findings, nothingFound, placedInFile } from './findings.ts';
import { missingFrom } from './missing-from.ts';
import type { SeedData } from './seed-data.ts';
import { seedProblems } from './seed-problems.ts';
import { readSeedState } from './seed-state.ts';

/** What a seed has added, e.g. the kind "tag type" and the name "team". */
export type Added = Pick<Addition, 'kind' | 'name'>;

/**
 * Adds what a store lacks of a seed, each thing with its event. What exists already stays untouched, except that a
 * project receives the environments that it lacks. Cut off and called again, it completes; called twice at once, it
 * ends in the same state.
 * @param found what is wrong with the file that the seed was read from; what is wrong besides is then named together
 * with it.
 * @returns what was added, in the order in which it was.
 * @throws ApiError 400 whose details name every problem; nothing is written then.
 */
export async function seedStore(
  table: Table,
  data: SeedData,
  found: Findings = nothingFound,
): Promise<{ added: Added[] }> {
  const added: Added[] = [];
  await retryLostRaces(table, async () => {
    const state = await readSeedState(table, data);
    const at = new Date().toISOString();
    const additions = missingFrom(state, data, at);
    const atStore = [...seedProblems(data, state), ...additions.flatMap(sizeProblems)];
    const problems = [...found.problems, ...atStore.map((problem) => placedInFile(problem, found.places))];
    // What refers to unknown names would be written without them, so none of the additions must be by then.
    if (problems.length > 0) throw invalidRequest(problems);
    if (additions.length === 0) return;
    const { first } = await takeEventIds(table, additions.length);
    for (const commit of commitsOf(additions, { counters: state.counters, firstEventId: first, at })) {
      await transact(table, commit.writes, undefined);
      added.push(...commit.additions.map(({ kind, name }) => ({ kind, name })));
    }
  });
  return { added };
}

/** What the store could not hold, found out before anything is written. */
function sizeProblems({ kind, name, path, writes }: Addition): ErrorDetail[] {
  try {
    for (const write of writes) if ('item' in write) assertFits({ ...write.put, ...write.item }, `${kind} "${name}"`);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.details.map(({ message }) => ({ message, path }));
  }
}
