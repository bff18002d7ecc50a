import type { ListedFlag } from '../../screens/flags-schema.ts';

/** The filters of a list of flags, as its address holds them. */
export interface FlagFilters {
  readonly search: string;
  readonly show: Show | undefined;
  readonly type: string | undefined;
  readonly tag: string | undefined;
}

/** The flags of a chip above the list. */
export type Show = 'starred' | 'pending' | 'not-live' | 'stale' | 'mine';

/** The chips in their order. */
export const shows: readonly (readonly [Show, string])[] = [
  ['starred', 'Starred'],
  ['pending', 'Change pending'],
  ['not-live', 'Not live'],
  ['stale', 'Stale'],
  ['mine', 'Mine'],
];

/** Tells whether a flag belongs to a chip. @param reader the id of the reader. */
export function isShown(flag: ListedFlag, show: Show, reader: number | undefined): boolean {
  switch (show) {
    case 'starred':
      return flag.favorite;
    case 'pending':
      return flag.environments.some(({ requests = [] }) => requests.length > 0);
    case 'not-live':
      return flag.environments.every(({ enabled }) => !enabled);
    case 'stale':
      return flag.stale;
    case 'mine':
      return flag.owner.id === reader;
  }
}

/** Returns the flags that all filters let through. Each word of the search is in the name, the description or a tag. */
export function filterFlags(
  flags: readonly ListedFlag[],
  { search, show, type, tag }: FlagFilters,
  reader: number | undefined,
): ListedFlag[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return flags.filter((flag) => {
    if (type !== undefined && flag.type !== type) return false;
    if (tag !== undefined && !flag.tags.includes(tag)) return false;
    if (show !== undefined && !isShown(flag, show, reader)) return false;
    if (words.length === 0) return true;
    const text = `${flag.name} ${flag.description ?? ''} ${flag.tags.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
