import type { Attributes } from '../table/item.ts';
import type { FeatureItem } from './feature-items.ts';

/**
 * What most features are, which the items that are written of them do not say: each attribute takes time wherever an item
 * is written or read, and lists read thousands. Items of earlier releases say it.
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

/** The same on a shelf. A feature's own item says it, since changes of other features are held to it. */
const usualOnShelf = { ...usual, archivedAt: null, dependencies: '[]' } as const satisfies Partial<FeatureItem>;

/** What those who read an item need to be told; of everything else, nothing means the same. */
const needed = {
  archivedAt: usualOnShelf.archivedAt,
  stale: usual.stale,
  impressionData: usual.impressionData,
  parts: usual.parts,
} as const;

type Needed = keyof typeof needed;

/** An item as it was read. */
export type WrittenItem<T extends Pick<FeatureItem, Needed>> = Omit<T, Needed> & Partial<Pick<T, Needed>>;

/** An item that was read, with what it does not say. */
export function filledIn<T extends Partial<Pick<FeatureItem, Needed>>>(item: T): T & Pick<FeatureItem, Needed> {
  return { ...needed, ...item };
}

/** What is written of a feature's own item. */
export function written(item: Attributes): Attributes {
  return without(usual, item);
}

/** What is written of a feature's item on a shelf. */
export function writtenOnShelf(item: Attributes): Attributes {
  return without(usualOnShelf, item);
}

function without(left: Attributes, item: Attributes): Attributes {
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => !(name in left) || value !== left[name]));
}
