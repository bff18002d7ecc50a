import type { Attributes } from '../../store/item.ts';
import type { FeatureItem } from './stored-items.ts';

/** Default values, which are omitted from items: each attribute costs time, and lists read thousands of items. */
const defaults = {
  stale: false,
  impressionData: false,
  description: null,
  tags: '[]',
  links: '[]',
  charts: '[]',
  parts: '[]',
  childCount: 0,
} as const satisfies Partial<FeatureItem>;

/**
 * Further defaults in read models. A feature's own item always has these two attributes, since conditions in transactions of
 * other features compare them.
 */
const readModelDefaults = { ...defaults, archivedAt: null, dependencies: '[]' } as const satisfies Partial<FeatureItem>;

/** The defaults that reads have to add; for the other attributes, readers treat a missing one as the default. */
const addedDefaults = {
  archivedAt: readModelDefaults.archivedAt,
  stale: defaults.stale,
  impressionData: defaults.impressionData,
  parts: defaults.parts,
} as const;

type Added = keyof typeof addedDefaults;

/** An item as it is stored, without defaults. */
export type CompactItem<T extends Pick<FeatureItem, Added>> = Omit<T, Added> & Partial<Pick<T, Added>>;

/** Adds the omitted defaults to an item that was read. */
export function addDefaults<T extends Partial<Pick<FeatureItem, Added>>>(item: T): T & Pick<FeatureItem, Added> {
  return { ...addedDefaults, ...item };
}

/** Returns a feature's own item as it is stored. */
export function omitDefaults(item: Attributes): Attributes {
  return omit(defaults, item);
}

/** Returns a feature's item in a read model as it is stored. */
export function omitReadModelDefaults(item: Attributes): Attributes {
  return omit(readModelDefaults, item);
}

function omit(omitted: Attributes, item: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => !(name in omitted) || value !== omitted[name]),
  );
}
