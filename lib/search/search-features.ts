import { listProjectsWithProposals } from '../change-requests/change-requests.ts';
import { loadOpenRequestsOn } from '../change-requests/views/open-requests.ts';
import type { Actor } from '../events/actor.ts';
import { loadFavorites } from '../features/favorites.ts';
import type {
  FoundFeature,
  ListedEnvironment,
  ProjectFeature,
  ProjectFeaturesQuery,
} from '../features/feature-list-schema.ts';
import { type FeatureUse, toListView } from '../features/feature-views.ts';
import { viewProgress } from '../features/plans/plan-summary.ts';
import {
  loadReadModel,
  loadReadModels,
  type ReadModel,
  type ReadModelFeature,
} from '../features/read-model/read-model.ts';
import { isPotentiallyStale, listFeatureTypes } from '../features/types/feature-types.ts';
import { loadUsageOfLastHour, mayBeUsedInThisHour } from '../features/use/feature-usage.ts';
import {
  type LastSeen,
  type LastSeenOf,
  latestOf,
  loadLastSeenOfFeatures,
  loadLastSeenOfProjects,
} from '../features/use/last-seen.ts';
import { findVisibleProject, listProjectIds, type Project, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segments } from '../segments/segments.ts';
import { tagTypes, withColors } from '../tags/tags.ts';
import { cachePerObject } from '../values/cache.ts';
import { mapChunks } from '../values/lists.ts';
import type { FeatureSearch } from './feature-search-schema.ts';
import { buildMatcher, isEqual } from './matcher.ts';
import { sortFeatures } from './sort-features.ts';

/** The result of a search. */
export interface FoundFeatures {
  /** The features of the page. */
  readonly features: readonly FoundFeature[];
  /** The number of features on all pages. */
  readonly total: number;
}

/**
 * Returns the requested page of the features that match a search. It reads each project consistently, with all confirmed
 * changes.
 * @param user the user whose favorites are marked.
 */
export async function searchFeatures(request: Request, user: Actor, search: FeatureSearch): Promise<FoundFeatures> {
  const ids = await chooseProjects(request, search);
  const names = search.segment?.values ?? [];
  const needsLastSeen = search.lastSeenAt !== undefined || search.sortBy === 'lastSeenAt';
  const needsAge = search.state?.values.includes('potentially-stale') ?? false;
  const [readModels, favorites, projectsById, segmentsByName, lastSeenOfAll, types, storedTagTypes, proposing] =
    await Promise.all([
      loadReadModels(request, ids),
      loadFavorites(request, user),
      projects.findSome(request, ids),
      segments.findHolders(request, 'name', names),
      needsLastSeen ? loadLastSeenOfProjects(request, ids) : undefined,
      needsAge ? listFeatureTypes(request) : [],
      tagTypes.list(request),
      listProjectsWithProposals(request),
    ]);
  const segmentIds = new Map([...segmentsByName].map(([name, { id }]) => [name, id]));
  const now = Date.now();
  const isFavorite = ({ feature }: ReadModelFeature) => favorites(feature);
  const isOld = ({ feature }: ReadModelFeature) => isPotentiallyStale(feature, types, now);
  const lastSeenAt = ({ feature }: ReadModelFeature) => (lastSeenOfAll ? latestOf(lastSeenOfAll(feature)) : null);
  const hasEnvironment = ({ feature }: ReadModelFeature, name: string) =>
    projectsById.get(feature.project)?.environments.some((environment) => environment.name === name) ?? false;
  const matches = buildMatcher(search, { segmentIds, isFavorite, isOld, lastSeenAt, hasEnvironment });
  const matching = readModels.flatMap((readModel) => [...readModel.features.values()].filter(matches));

  const { offset, limit } = search;
  const page = sortFeatures(matching, search, isFavorite, lastSeenAt).slice(offset, offset + limit);
  const isParent = (name: string) => readModels.some((readModel) => parentsIn(readModel).has(name));
  const [usedSegments, { lastSeen, evaluations }, requestsOn] = await Promise.all([
    segments.findSome(request, page.flatMap(segmentsOf)),
    loadPageUse(request, page, projectsById, lastSeenOfAll),
    loadOpenRequestsOn(
      request,
      user,
      page.map(({ feature }) => feature.project),
      proposing,
    ),
  ]);
  return {
    total: matching.length,
    features: page.map((entry) => {
      const { feature } = entry;
      const { environments, ...view } = projectView(entry, projectsById.get(feature.project), lastSeen(feature));
      const counts = evaluations.get(feature.name);
      return {
        ...view,
        favorite: isFavorite(entry),
        tags: withColors(feature.tags, storedTagTypes),
        dependencyType: dependencyType(entry, isParent),
        segments: segmentsOf(entry).flatMap((id) => usedSegments.get(id)?.name ?? []),
        environments: environments.map((environment) => ({
          ...environment,
          ...viewProgress(entry.summaries.get(environment.name)?.plan),
          ...(counts?.get(environment.name) ?? { yes: 0, no: 0 }),
          changeRequestIds: requestsOn(feature.name, environment.name),
        })),
      };
    }) as FoundFeature[],
  };
}

/** Returns the projects to search. */
async function chooseProjects(request: Request, { project }: FeatureSearch): Promise<readonly string[]> {
  const isNamed = project?.operator === 'IS' || project?.operator === 'IS_ANY_OF';
  if (isNamed) return [...new Set(project.values)];
  return (await listProjectIds(request)).filter((id) => isEqual(project, id));
}

/** Returns a feature as the list of its project shows it. */
function projectView(
  { feature, summaries }: ReadModelFeature,
  project: Project | undefined,
  lastSeen: LastSeen,
): ProjectFeature {
  const environments = (project?.environments ?? []).map(({ name, type, sortOrder }): ListedEnvironment => {
    const { enabled = false, variants = 0, strategies = 0, enabledStrategies = 0 } = summaries.get(name) ?? {};
    return {
      name,
      type,
      enabled,
      sortOrder,
      variantCount: variants,
      lastSeenAt: lastSeen.get(name) ?? null,
      hasStrategies: strategies > 0,
      hasEnabledStrategies: enabledStrategies > 0,
    };
  });
  return { ...toListView(feature, lastSeen), environments };
}

/** Returns the parents in a read model. The result is cached until the read model changes. */
const parentsIn = cachePerObject(({ features }: ReadModel) => {
  const children = [...features.values()];
  return new Set(children.flatMap(({ feature }) => feature.dependencies.map((dependency) => dependency.feature)));
});

function dependencyType({ feature }: ReadModelFeature, isParent: (name: string) => boolean): 'parent' | 'child' | null {
  if (feature.dependencies.length > 0) return 'child';
  return isParent(feature.name) ? 'parent' : null;
}

function segmentsOf({ summaries }: ReadModelFeature): number[] {
  return [...new Set([...summaries.values()].flatMap(({ segments: ids = [] }) => ids))];
}

/**
 * Lists the live features of a project that match a query, by name. It reads them consistently, with all confirmed changes. An
 * unknown project has none, as on Unleash.
 * @param user the user whose favorites are marked.
 */
export async function listFeatures(
  request: Request,
  user: Actor,
  projectId: string,
  query: ProjectFeaturesQuery = {},
): Promise<ProjectFeature[]> {
  const [project, readModel, isFavorite, lastSeen] = await Promise.all([
    findVisibleProject(request, projectId),
    loadReadModel(request, projectId),
    loadFavorites(request, user),
    loadLastSeenOfProjects(request, [projectId]),
  ]);
  if (project === undefined) return [];
  const listed = [...readModel.features.values()].filter((entry) => matchesQuery(entry, query));
  return listed.map((entry) => ({
    ...projectView(entry, project, lastSeen(entry.feature)),
    favorite: isFavorite(entry.feature),
  }));
}

function matchesQuery(
  { feature }: ReadModelFeature,
  { tag: tags = [], namePrefix = '' }: ProjectFeaturesQuery,
): boolean {
  return (
    feature.archivedAt === null &&
    feature.name.toLowerCase().startsWith(namePrefix.toLowerCase()) &&
    (tags.length === 0 ||
      tags.some(([type, value]) => feature.tags.some((tag) => tag.type === type && tag.value === value)))
  );
}

/** The use of the features of a page. */
interface PageUse {
  readonly lastSeen: LastSeenOf;
  /** The evaluations by feature name, only of features that may have been used in the current hour. */
  readonly evaluations: ReadonlyMap<string, FeatureUse['evaluations']>;
}

/** The number of features whose evaluations are read at the same time. */
const featuresAtOnce = 16;

/**
 * Loads the use of the features of a page.
 * @param loaded the times of the last use of all features, if they are already loaded.
 */
async function loadPageUse(
  request: Request,
  page: readonly ReadModelFeature[],
  projects: ReadonlyMap<string, Project>,
  loaded: LastSeenOf | undefined,
): Promise<PageUse> {
  const listed = page.map(({ feature }) => {
    const { environments = [] } = projects.get(feature.project) ?? {};
    return { feature, environments: environments.map(({ name }) => name) };
  });
  const lastSeen = loaded ?? (await loadLastSeenOfFeatures(request, listed));
  // Each feature takes one request, unless it is unused.
  const used = page.filter(({ feature }) => mayBeUsedInThisHour(latestOf(lastSeen(feature))));
  const evaluations = await mapChunks(used, featuresAtOnce, async ({ feature: { name } }) => {
    return [name, await loadUsageOfLastHour(request, name)] as const;
  });
  return { lastSeen, evaluations: new Map(evaluations) };
}
