import type { Numbered, SeedState } from '../seed-state.ts';

/** The entries that are not there yet, with their places in the seed. */
export function missing<T>(entries: readonly T[], isThere: (entry: T) => boolean): { entry: T; index: number }[] {
  return entries.map((entry, index) => ({ entry, index })).filter(({ entry }) => !isThere(entry));
}

/** Gives out numbers above all that the counter has given out and all that the entries bring along. */
export function numbers(
  { counters }: SeedState,
  counter: Numbered,
  entries: readonly { readonly entry: { readonly id?: number | undefined } }[],
): () => number {
  let last = Math.max(counters[counter], ...entries.map(({ entry }) => entry.id ?? 0));
  return () => {
    last += 1;
    return last;
  };
}
