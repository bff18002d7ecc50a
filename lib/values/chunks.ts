/** Maps a list asynchronously, `size` things at a time, and returns the results in order. */
export async function mapChunks<T, U>(list: readonly T[], size: number, map: (thing: T) => Promise<U>): Promise<U[]> {
  const mapped: U[] = [];
  for (const chunk of chunksOf(list, size)) mapped.push(...(await Promise.all(chunk.map(map))));
  return mapped;
}

/** Splits a list into pieces of at most `size`. */
export function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}
