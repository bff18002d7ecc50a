import type { Key } from '../store/client/definition.ts';
import { sendUpdate, type Update } from '../store/client/update.ts';
import type { Work } from '../store/work.ts';

/** The additions to one item, which is created if it is missing. */
export interface CountUpdate extends Pick<Update, 'add' | 'set'> {
  readonly key: Key;
}

/** An expression of the store, of at most 4 KB, names some 280 attributes. */
const attributesMax = 200;

/**
 * Writes counts and sightings, apart from any transaction and without an event, since nothing is decided by it. The
 * store may count a request twice whose answer was lost.
 */
export async function writeCounts(work: Work, { key, add = {}, set = {} }: CountUpdate): Promise<void> {
  const names = [...Object.keys(set), ...Object.keys(add)];
  for (let from = 0; from < names.length; from += attributesMax) {
    const some = names.slice(from, from + attributesMax);
    const change = { add: only(add, some), set: only(set, some) };
    await work.store.limiter(() => sendUpdate(work.store, [work], key, change));
  }
}

function only<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name] as T]] : [])));
}
