import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import { allPages } from '../store/whole-items.ts';
import { carriedOf, jointContentOf } from './carried.ts';
import type { StartStage } from './stage.ts';
import type { WorkingCopy } from './working-copy.ts';

/** For how long a store that keeps changing is read again, as a multiple of the first reading, and at least. */
const patience = { times: 10, ms: 60_000 };

/**
 * Copies a store as it was at one moment, while others write. Pages are read one after the other, so the store is read until a
 * reading finds all as the one before has found it: between the two, it was what the copy says.
 * @returns what the copy lacks and somebody has to set again after a restore, in words.
 * @throws ApiError 503 where the store changes during each reading.
 */
export async function copyStore(request: Request, copy: WorkingCopy, startStage: StartStage): Promise<string[]> {
  const start = performance.now();
  let allowedMs = Number.POSITIVE_INFINITY;
  for (let round = 1; ; round += 1) {
    const { changes, lacks } = await readOnce(request, copy, round, startStage);
    if (round === 1) allowedMs = Math.max(patience.ms, patience.times * (performance.now() - start));
    else if (changes === 0) return lacks;
    if (performance.now() - start > allowedMs) {
      throw new ApiError(
        'ServiceUnavailable',
        'The store changed during each reading of it: try again when it is quieter.',
      );
    }
  }
}

async function readOnce(request: Request, copy: WorkingCopy, round: number, startStage: StartStage) {
  using stage = round === 1 ? startStage('Items read') : startStage('Items read again', copy.size);
  const lacks: string[] = [];
  let changes = 0;
  for await (const page of allPages(request)) {
    const carried = page.map((item) => carriedOf(item));
    const items = carried.flatMap(({ item }) => item ?? []);
    lacks.push(...carried.flatMap(({ lack }) => lack ?? []));
    changes += copy.put(items, round, jointContentOf);
    stage.advance(page.length);
  }
  changes += copy.forgetBefore(round, jointContentOf);
  return { changes, lacks: lacks.toSorted() };
}
