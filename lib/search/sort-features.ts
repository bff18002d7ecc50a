import type { ReadModelFeature } from '../features/read-model/read-model.ts';
import type { FeatureSearch } from './feature-search-schema.ts';

type Value = string | number | boolean | null;

/** Sorts features in the order of a search, and equal ones by name. */
export function sortFeatures<T extends ReadModelFeature>(
  features: readonly T[],
  { sortBy, sortOrder, favoritesFirst }: Pick<FeatureSearch, 'sortBy' | 'sortOrder' | 'favoritesFirst'>,
  isFavorite: (feature: T) => boolean,
  lastSeenAt: (feature: T) => string | null,
): T[] {
  const direction = sortOrder === 'desc' ? -1 : 1;
  const readValue = buildSortValue(sortBy, isFavorite, lastSeenAt);
  const sortable = features.map((entry) => ({
    entry,
    name: entry.feature.name,
    isFirst: favoritesFirst && isFavorite(entry),
    value: readValue(entry),
  }));
  return sortable
    .toSorted(
      (a, b) =>
        Number(b.isFirst) - Number(a.isFirst) || compare(a.value, b.value, direction) || compare(a.name, b.name),
    )
    .map(({ entry }) => entry);
}

function buildSortValue<T extends ReadModelFeature>(
  by: FeatureSearch['sortBy'],
  isFavorite: (feature: T) => boolean,
  lastSeenAt: (feature: T) => string | null,
): (entry: T) => Value {
  switch (by) {
    case 'createdBy':
      return ({ feature }) => feature.createdBy.name;
    case 'favorite':
      return isFavorite;
    case 'lastSeenAt':
      return lastSeenAt;
    case 'lifecycle':
      return ({ feature }) => feature.lifecycle.stage;
    case 'name':
    case 'type':
    case 'project':
    case 'description':
    case 'createdAt':
    case 'archivedAt':
    case 'stale':
    case 'impressionData':
      return ({ feature }) => feature[by];
    default: {
      const environment = by.slice('environment:'.length);
      return ({ summaries }) => summaries.get(environment)?.enabled ?? false;
    }
  }
}

/** Compares two values. A missing value comes last in both directions. */
function compare(a: Value, b: Value, direction: 1 | -1 = 1): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -direction : direction;
}
