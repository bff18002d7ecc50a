import * as v from 'valibot';

/** Maps a list asynchronously, `size` things at a time, and returns the results in order. */
export async function mapChunks<T, U>(list: readonly T[], size: number, map: (thing: T) => Promise<U>): Promise<U[]> {
  const results: U[] = [];
  for (const chunk of chunksOf(list, size)) results.push(...(await Promise.all(chunk.map(map))));
  return results;
}

/** Splits a list into chunks of at most `size` things. */
export function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** Returns the values that a list holds more than once, each of them once. */
export function findDuplicates<T>(values: readonly T[]): T[] {
  const seen = new Set<T>();
  const duplicates = new Set<T>();
  for (const value of values) (seen.has(value) ? duplicates : seen).add(value);
  return [...duplicates];
}

/** An action of valibot that refuses a list in which two things have the same text. */
export function uniqueBy<T>(textOf: (thing: T) => string, messageOf: (duplicate: string) => string) {
  return v.rawCheck<T[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const duplicate of findDuplicates(dataset.value.map(textOf))) addIssue({ message: messageOf(duplicate) });
  });
}

/** Returns one thing for each key: the last with that key, at the index of the first. */
export function distinctBy<T>(things: readonly T[], keyOf: (thing: T) => unknown): T[] {
  return [...new Map(things.map((thing) => [keyOf(thing), thing])).values()];
}
