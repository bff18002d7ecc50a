import type { ShelvedFeature } from '../features/shelf/shelf.ts';
import type { EqualityFilter, FeatureSearch, InclusionFilter, TimeFilter } from './feature-search-schema.ts';

/** Facts that a search needs besides the features themselves. */
interface Facts {
  /** The ids of the segments that the query names, by name. */
  readonly segmentIds: ReadonlyMap<string, number>;
  readonly isFavorite: (shelved: ShelvedFeature) => boolean;
  /** Tells whether a feature has outlived the expected lifetime of its type. */
  readonly isOld: (shelved: ShelvedFeature) => boolean;
  readonly lastSeenAt: (shelved: ShelvedFeature) => string | null;
  /** Tells whether the project of a feature has an environment. */
  readonly hasEnvironment: (shelved: ShelvedFeature, environment: string) => boolean;
}

type Check = (shelved: ShelvedFeature) => boolean;

/**
 * Returns a check for the features that match a search, apart from their project. It looks only at what the search asks
 * for: each search checks thousands of features.
 */
export function buildMatcher(search: FeatureSearch, facts: Facts): Check {
  const { segmentIds, isFavorite, isOld, lastSeenAt, hasEnvironment } = facts;
  const { state, lifecycle, type, createdBy, tag, segment, createdAt, favorite, status, query } = search;
  const { lastSeenAt: seen } = search;
  const checks: readonly (Check | undefined)[] = [
    archiveCheck(search),
    state && ((each) => isOneOf(state, statesOf(each.feature, isOld(each)))),
    lifecycle && (({ feature }) => isEqual(lifecycle, feature.lifecycle.stage)),
    type && (({ feature }) => isEqual(type, feature.type)),
    createdBy && (({ feature }) => isEqual(createdBy, String(feature.createdBy.id))),
    tag && (({ feature }) => isIncluded(tag, tagsOf(feature))),
    segment && (({ summaries }) => isIncluded(segment, usedSegments(summaries, segmentIds))),
    createdAt && (({ feature }) => isAt(createdAt, feature.createdAt)),
    seen && ((each) => isAt(seen, lastSeenAt(each))),
    favorite && ((each) => isEqual(favorite, String(isFavorite(each)))),
    status?.length ? statusCheck(status, hasEnvironment) : undefined,
    textCheck(query),
  ];
  const asked = checks.filter((check) => check !== undefined);
  return (shelved) => asked.every((check) => check(shelved));
}

function tagsOf({ tags }: ShelvedFeature['feature']): string[] {
  return tags.map(({ type, value }) => `${type}:${value}`);
}

/** Returns those of the segments of a query that a feature uses. */
function usedSegments(summaries: ShelvedFeature['summaries'], segmentIds: Facts['segmentIds']): string[] {
  const used = new Set([...summaries.values()].flatMap(({ segments = [] }) => segments));
  return [...segmentIds].filter(([, id]) => used.has(id)).map(([name]) => name);
}

function statesOf({ stale, archivedAt }: ShelvedFeature['feature'], isOld: boolean): string[] {
  const own = stale ? ['stale'] : ['active', ...(isOld ? ['potentially-stale'] : [])];
  return archivedAt === null ? own : ['archived', ...own];
}

/** Archived features are found only where the search asks for them, or for that state or lifecycle stage. */
function archiveCheck({ archived, lifecycle, state }: FeatureSearch): Check | undefined {
  if (archived !== undefined) return ({ feature }) => isEqual(archived, String(feature.archivedAt !== null));
  const asks = (filter: EqualityFilter | undefined) =>
    (filter?.operator === 'IS' || filter?.operator === 'IS_ANY_OF') && filter.values.includes('archived');
  return asks(lifecycle) || asks(state) ? undefined : ({ feature }) => feature.archivedAt === null;
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

function isIncluded(filter: InclusionFilter, present: readonly string[]): boolean {
  const all = new Set(present);
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
function isAt({ operator, values }: TimeFilter, time: string | null): boolean {
  const day = values[0] as string;
  if (time === null) return false;
  return operator === 'IS_BEFORE' ? time < day : time >= day;
}

/** A feature is neither on nor off in an environment that its project does not have. */
function statusCheck(statuses: readonly string[], hasEnvironment: Facts['hasEnvironment']): Check {
  const wanted = statuses.map((status) => status.split(':') as [environment: string, state: string]);
  return (shelved) =>
    wanted.some(
      ([environment, state]) =>
        hasEnvironment(shelved, environment) &&
        (shelved.summaries.get(environment)?.enabled ?? false) === (state === 'enabled'),
    );
}

function textCheck(query = ''): Check | undefined {
  const wanted = query.split(',').map((each) => each.trim().toLowerCase());
  const terms = wanted.filter((term) => term !== '');
  if (terms.length === 0) return undefined;
  return ({ feature }) => {
    const small = [feature.name, feature.description ?? '', ...tagsOf(feature)].map((each) => each.toLowerCase());
    return terms.some((term) => small.some((each) => each.includes(term)));
  };
}
