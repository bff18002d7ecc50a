import type { Key } from '../store/client/definition.ts';
import { sendUpdate, type Update } from '../store/client/update.ts';
import type { Work } from '../store/work.ts';

/** An update of one item, which is created if it is missing. */
export interface CountUpdate extends Pick<Update, 'add' | 'set'> {
  readonly key: Key;
}

/**
 * Attributes per update. An update expression of DynamoDB has at most 4 KB, which is enough for about 280. With 220, three updates are
 * enough for the largest impact metric.
 */
const attributesMax = 220;

/**
 * Writes counts and times of last use outside of any transaction and without events, since no decision depends on them.
 * If the answer of the store is lost, a repeat can count the same update twice.
 */
export async function writeCounts(work: Work, { key, add = {}, set = {} }: CountUpdate): Promise<void> {
  const names = [...Object.keys(set), ...Object.keys(add)];
  for (let from = 0; from < names.length; from += attributesMax) {
    const chunk = names.slice(from, from + attributesMax);
    const change = { add: pick(add, chunk), set: pick(set, chunk) };
    await work.store.limiter(() => sendUpdate(work.store, [work], key, change));
  }
}

function pick<T>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name] as T]] : [])));
}
