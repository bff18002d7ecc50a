import type { ShelvedFeature } from '../../delivery/snapshot/shelf.ts';
import type { EqualityFilter, FeatureSearch, InclusionFilter, TimeFilter } from './feature-search-schema.ts';

/** Facts that a search needs besides the feature itself. */
interface About {
  /** The ids of the segments that the query names, by name. */
  readonly segmentIds: ReadonlyMap<string, number>;
  readonly isFavorite: boolean;
  /**
   * True if the feature has outlived the expected lifetime of its type; unknown where the search does not ask for it.
   */
  readonly isOld: boolean;
  /** Unknown where the search does not ask for it. */
  readonly lastSeenAt: string | null;
}

/** Tells whether a feature matches a search, apart from its project. */
export function matches({ feature, summaries }: ShelvedFeature, search: FeatureSearch, about: About): boolean {
  const { state, lifecycle, type, createdBy, tag, segment, createdAt, lastSeenAt, favorite, status = [] } = search;
  // Put together only for a search that asks for them: the first of a process makes thousands of these at once.
  const tags = () => feature.tags.map((each) => `${each.type}:${each.value}`);
  const usedSegments = () => {
    const used = new Set([...summaries.values()].flatMap(({ segments = [] }) => segments));
    return [...about.segmentIds].filter(([, id]) => used.has(id)).map(([name]) => name);
  };
  return (
    isOfArchive(feature.archivedAt !== null, search) &&
    isOneOf(state, statesOf(feature, about)) &&
    isEqual(lifecycle, feature.lifecycle.stage) &&
    isEqual(type, feature.type) &&
    isEqual(createdBy, String(feature.createdBy.id)) &&
    isIncluded(tag, tags) &&
    isIncluded(segment, usedSegments) &&
    isAt(createdAt, feature.createdAt) &&
    isAt(lastSeenAt, about.lastSeenAt) &&
    isEqual(favorite, String(about.isFavorite)) &&
    (status.length === 0 || status.some((each) => hasStatus(summaries, each))) &&
    hasText(search.query, () => [feature.name, feature.description ?? '', ...tags()])
  );
}

function statesOf({ stale, archivedAt }: ShelvedFeature['feature'], { isOld }: About): string[] {
  const own = stale ? ['stale'] : ['active', ...(isOld ? ['potentially-stale'] : [])];
  return archivedAt === null ? own : ['archived', ...own];
}

/**
 * Tells whether a feature is to be found by its archive state: archived ones only where the search asks for them, or
 * for that state or lifecycle stage.
 */
function isOfArchive(isArchived: boolean, { archived, lifecycle, state }: FeatureSearch): boolean {
  if (archived !== undefined) return isEqual(archived, String(isArchived));
  const asks = (filter: EqualityFilter | undefined) =>
    (filter?.operator === 'IS' || filter?.operator === 'IS_ANY_OF') && filter.values.includes('archived');
  return !isArchived || asks(lifecycle) || asks(state);
}

/** Tells whether a value passes a filter, if there is one. */
export function isEqual(
  filter: (Pick<EqualityFilter, 'values'> & { readonly operator: string }) | undefined,
  value: string,
): boolean {
  return isOneOf(filter, [value]);
}

/** Tells whether any of several values passes a filter, as `isEqual` does for one. */
function isOneOf(filter: Parameters<typeof isEqual>[0], values: readonly string[]): boolean {
  if (filter === undefined) return true;
  const isNegative = filter.operator === 'IS_NOT' || filter.operator === 'IS_NONE_OF';
  return values.some((value) => filter.values.includes(value)) !== isNegative;
}

function isIncluded(filter: InclusionFilter | undefined, present: () => readonly string[]): boolean {
  if (filter === undefined) return true;
  const all = new Set(present());
  const has = (value: string) => all.has(value);
  switch (filter.operator) {
    case 'INCLUDE':
    case 'INCLUDE_ANY_OF':
      return filter.values.some(has);
    case 'INCLUDE_ALL_OF':
      return filter.values.every(has);
    case 'DO_NOT_INCLUDE':
    case 'EXCLUDE_IF_ANY_OF':
      return !filter.values.some(has);
    case 'EXCLUDE_ALL':
      return !filter.values.every(has);
  }
}

/** A day begins at midnight UTC, and its text sorts before all its times. */
function isAt(filter: TimeFilter | undefined, time: string | null): boolean {
  const [day] = filter?.values ?? [];
  if (filter === undefined || day === undefined) return true;
  if (time === null) return false;
  return filter.operator === 'IS_BEFORE' ? time < day : time >= day;
}

function hasStatus(summaries: ShelvedFeature['summaries'], status: string): boolean {
  const colon = status.lastIndexOf(':');
  const isEnabled = summaries.get(status.slice(0, colon))?.enabled ?? false;
  return isEnabled === (status.slice(colon + 1) === 'enabled');
}

function hasText(query: string | undefined, texts: () => readonly string[]): boolean {
  if (query === undefined) return true;
  const wanted = query.split(',').map((each) => each.trim().toLowerCase());
  const terms = wanted.filter((term) => term !== '');
  if (terms.length === 0) return true;
  const small = texts().map((each) => each.toLowerCase());
  return terms.some((term) => small.some((each) => each.includes(term)));
}
