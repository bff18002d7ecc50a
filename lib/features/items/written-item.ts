import type { Attributes } from '../../store/item.ts';
import type { FeatureItem } from './feature-items.ts';

/**
 * The usual values, which are left out of items: each attribute takes time wherever an item is written or read, and lists
 * read thousands.
 */
const usual = {
  stale: false,
  impressionData: false,
  description: null,
  tags: '[]',
  links: '[]',
  parts: '[]',
  childCount: 0,
} as const satisfies Partial<FeatureItem>;

/**
 * Further usual values on shelves. A feature's own item keeps these two: conditions of other features' changes
 * compare them.
 */
const usualOnShelf = { ...usual, archivedAt: null, dependencies: '[]' } as const satisfies Partial<FeatureItem>;

/** Those that readers need filled in; for the others, they take a missing attribute for the same. */
const needed = {
  archivedAt: usualOnShelf.archivedAt,
  stale: usual.stale,
  impressionData: usual.impressionData,
  parts: usual.parts,
} as const;

type Needed = keyof typeof needed;

/** An item as it was read. */
export type WrittenItem<T extends Pick<FeatureItem, Needed>> = Omit<T, Needed> & Partial<Pick<T, Needed>>;

/** Returns an item that was read, with the usual values that it leaves out. */
export function addUsualValues<T extends Partial<Pick<FeatureItem, Needed>>>(item: T): T & Pick<FeatureItem, Needed> {
  return { ...needed, ...item };
}

/** Returns a feature's own item as it is written. */
export function writtenItem(item: Attributes): Attributes {
  return without(usual, item);
}

/** Returns a feature's item on a shelf as it is written. */
export function writtenOnShelf(item: Attributes): Attributes {
  return without(usualOnShelf, item);
}

function without(left: Attributes, item: Attributes): Attributes {
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => !(name in left) || value !== left[name]));
}
