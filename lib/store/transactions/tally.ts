import type { Key } from '../client/definition.ts';
import { type Update, update } from '../client/update.ts';
import type { Work } from '../work.ts';

/** The additions to one item, which is created if it is missing. */
export interface Tally extends Pick<Update, 'add' | 'set'> {
  readonly key: Key;
}

/**
 * Writes counts and sightings, apart from any transaction and without an event, since nothing is decided by it. The
 * store may count a request twice whose answer was lost.
 */
export async function tally(work: Work, { key, ...change }: Tally): Promise<void> {
  await work.store.limiter(() => update(work.store, [work], key, change));
}
