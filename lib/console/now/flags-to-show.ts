import type { NowFlag } from '../../screens/now-schema.ts';

/** The most flags that a search shows. */
const foundMax = 30;

/** Returns the flags that somebody may need in a hurry: starred ones, kill switches and those that changed lately. */
export function flagsToShow(flags: readonly NowFlag[], changed: ReadonlySet<string | null>): NowFlag[] {
  return flags.filter(({ name, favorite, type }) => favorite || type === 'kill-switch' || changed.has(name));
}

/** Returns the flags whose names have all words of a search; those that begin with the first word come first. */
export function findFlags(flags: readonly NowFlag[], search: string): NowFlag[] {
  const words = search
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);
  const matching = flags.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const begins = ({ name }: NowFlag) => Number(name.toLowerCase().startsWith(words[0] ?? ''));
  return matching.toSorted((a, b) => begins(b) - begins(a)).slice(0, foundMax);
}
