import type { ReadModelFeature } from '../features/read-model/read-model.ts';
import type { EqualityFilter, FeatureSearch, InclusionFilter, TimeFilter } from './feature-search-schema.ts';

/** The facts that a search needs in addition to the features. */
interface Facts {
  /** The ids of the segments that the query names, by name. */
  readonly segmentIds: ReadonlyMap<string, number>;
  readonly isFavorite: (entry: ReadModelFeature) => boolean;
  /** Tells whether a feature has outlived the expected lifetime of its type. */
  readonly isOld: (entry: ReadModelFeature) => boolean;
  readonly lastSeenAt: (entry: ReadModelFeature) => string | null;
  /** Tells whether the project of a feature has an environment. */
  readonly hasEnvironment: (entry: ReadModelFeature, environment: string) => boolean;
}

type Check = (entry: ReadModelFeature) => boolean;

/**
 * Builds the predicate for features that match a search, in any project. It only checks the given filters, since each
 * search looks at thousands of features.
 */
export function buildMatcher(search: FeatureSearch, facts: Facts): Check {
  const { segmentIds, isFavorite, isOld, lastSeenAt, hasEnvironment } = facts;
  const { state, lifecycle, type, createdBy, tag, segment, createdAt, favorite, status, query } = search;
  const { lastSeenAt: seen } = search;
  const checks: readonly (Check | undefined)[] = [
    buildArchiveCheck(search),
    state && ((entry) => isOneOf(state, statesOf(entry.feature, isOld(entry)))),
    lifecycle && (({ feature }) => isEqual(lifecycle, feature.lifecycle.stage)),
    type && (({ feature }) => isEqual(type, feature.type)),
    createdBy && (({ feature }) => isEqual(createdBy, String(feature.createdBy.id))),
    tag && (({ feature }) => isIncluded(tag, tagsOf(feature))),
    segment && (({ summaries }) => isIncluded(segment, selectUsedSegments(summaries, segmentIds))),
    createdAt && (({ feature }) => isAt(createdAt, feature.createdAt)),
    seen && ((entry) => isAt(seen, lastSeenAt(entry))),
    favorite && ((entry) => isEqual(favorite, String(isFavorite(entry)))),
    status?.length ? buildStatusCheck(status, hasEnvironment) : undefined,
    buildTextCheck(query),
  ];
  const givenChecks = checks.filter((check) => check !== undefined);
  return (entry) => givenChecks.every((check) => check(entry));
}

function tagsOf({ tags }: ReadModelFeature['feature']): string[] {
  return tags.map(({ type, value }) => `${type}:${value}`);
}

/** Returns the segments of a query that a feature uses. */
function selectUsedSegments(summaries: ReadModelFeature['summaries'], segmentIds: Facts['segmentIds']): string[] {
  const used = new Set([...summaries.values()].flatMap(({ segments = [] }) => segments));
  return [...segmentIds].filter(([, id]) => used.has(id)).map(([name]) => name);
}

function statesOf({ stale, archivedAt }: ReadModelFeature['feature'], isOld: boolean): string[] {
  const states = stale ? ['stale'] : ['active', ...(isOld ? ['potentially-stale'] : [])];
  return archivedAt === null ? states : ['archived', ...states];
}

/** Builds the check that excludes archived features, unless the search includes them by a filter. */
function buildArchiveCheck({ archived, lifecycle, state }: FeatureSearch): Check | undefined {
  if (archived !== undefined) return ({ feature }) => isEqual(archived, String(feature.archivedAt !== null));
  const includesArchived = (filter: EqualityFilter | undefined) =>
    (filter?.operator === 'IS' || filter?.operator === 'IS_ANY_OF') && filter.values.includes('archived');
  return includesArchived(lifecycle) || includesArchived(state)
    ? undefined
    : ({ feature }) => feature.archivedAt === null;
}

/** Tells whether a value passes an optional filter. */
export function isEqual(
  filter: (Pick<EqualityFilter, 'values'> & { readonly operator: string }) | undefined,
  value: string,
): boolean {
  return isOneOf(filter, [value]);
}

/** Tells whether any of several values passes an optional filter. */
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

/** Tells whether a time is before or after a day. A day begins at midnight UTC, and its text sorts before all its times. */
function isAt({ operator, values }: TimeFilter, time: string | null): boolean {
  const day = values[0] as string;
  if (time === null) return false;
  return operator === 'IS_BEFORE' ? time < day : time >= day;
}

/** Builds the check for statuses. In an environment that its project lacks, a feature has no status. */
function buildStatusCheck(statuses: readonly string[], hasEnvironment: Facts['hasEnvironment']): Check {
  const environmentStates = statuses.map((status) => status.split(':') as [environment: string, state: string]);
  return (entry) =>
    environmentStates.some(
      ([environment, state]) =>
        hasEnvironment(entry, environment) &&
        (entry.summaries.get(environment)?.enabled ?? false) === (state === 'enabled'),
    );
}

function buildTextCheck(query = ''): Check | undefined {
  const terms = query
    .split(',')
    .map((term) => term.trim().toLowerCase())
    .filter((term) => term !== '');
  if (terms.length === 0) return undefined;
  return ({ feature }) => {
    const texts = [feature.name, feature.description ?? '', ...tagsOf(feature)].map((text) => text.toLowerCase());
    return terms.some((term) => texts.some((text) => text.includes(term)));
  };
}
