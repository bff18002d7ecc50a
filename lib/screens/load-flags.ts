import { listProjectsWithProposals } from '../change-requests/change-requests.ts';
import { loadOpenRequestsOn } from '../change-requests/views/open-requests.ts';
import type { Actor } from '../events/actor.ts';
import { loadFavorites } from '../features/favorites.ts';
import { viewProgress } from '../features/plans/plan-summary.ts';
import { loadReadModels, type ReadModel, type ReadModelFeature } from '../features/read-model/read-model.ts';
import { type LastSeenOf, loadLastSeenOfProjects } from '../features/use/last-seen.ts';
import { findVisibleProject, listProjectIds, type Project, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { ConsoleFlags, ListedFlag } from './flags-schema.ts';
import { loadPersonNames } from './person-names.ts';
import { loadUrgentUsage } from './urgent-usage.ts';

/**
 * Loads the live flags for a list, by project and name.
 * @param project undefined for all projects that the reader sees; an unknown one has no flags.
 */
export async function loadFlags(request: Request, user: Actor, project: string | undefined): Promise<ConsoleFlags> {
  const [ids, proposing] = await Promise.all([
    project === undefined ? listProjectIds(request) : listIfVisible(request, project),
    listProjectsWithProposals(request),
  ]);
  const [readModels, projectsById, isFavorite, lastSeen, requestsOn] = await Promise.all([
    loadReadModels(request, ids),
    projects.findSome(request, ids),
    loadFavorites(request, user),
    loadLastSeenOfProjects(request, ids),
    loadOpenRequestsOn(request, user, ids, proposing),
  ]);
  const live = readModels.flatMap(liveFeaturesOf);
  const [usage, names] = await Promise.all([
    loadUrgentUsage(request, live, isFavorite, lastSeen),
    loadPersonNames(
      request,
      live.map(({ feature }) => feature.createdBy.id),
    ),
  ]);
  const show = (entry: ReadModelFeature): ListedFlag => {
    const { feature } = entry;
    const { name, type, description, tags, stale, createdAt, createdBy } = feature;
    return {
      ...{ name, project: feature.project, type, description, stale, createdAt },
      favorite: isFavorite(feature),
      stage: feature.lifecycle.stage,
      tags: tags.map(({ type: tagType, value }) => (tagType === 'simple' ? value : `${tagType}:${value}`)),
      owner: { id: createdBy.id, name: names.get(createdBy.id) ?? createdBy.name },
      environments: showStates(entry, projectsById.get(feature.project), lastSeen).map((state) => {
        const requests = requestsOn(name, state.name);
        return { ...state, ...usage.get(name)?.get(state.name), ...(requests.length > 0 && { requests }) };
      }),
    };
  };
  return { environments: listEnvironments([...projectsById.values()]), flags: live.map(show) };
}

/** Lists only the given project; nothing if the caller does not see it. */
async function listIfVisible(request: Request, project: string): Promise<string[]> {
  return (await findVisibleProject(request, project)) === undefined ? [] : [project];
}

/** Returns the live features of a project by name. */
export function liveFeaturesOf({ features }: ReadModel): ReadModelFeature[] {
  return [...features.values()]
    .filter(({ feature }) => feature.archivedAt === null)
    .toSorted((a, b) => (a.feature.name < b.feature.name ? -1 : 1));
}

function showStates(
  { feature, summaries }: ReadModelFeature,
  project: Project | undefined,
  lastSeen: LastSeenOf,
): ListedFlag['environments'] {
  const seen = lastSeen(feature);
  return (project?.environments ?? []).map(({ name }) => {
    const { enabled = false, strategies = 0, plan } = summaries.get(name) ?? {};
    const lastSeenAt = seen.get(name) ?? null;
    return {
      ...{ name, enabled, hasStrategies: strategies > 0, lastSeenAt, ...viewProgress(plan) },
      ...(plan?.isForEverybody && { isForEverybody: true }),
    };
  });
}

/** Lists the environments of projects in their order, each once. */
function listEnvironments(all: readonly Project[]): ConsoleFlags['environments'] {
  const byName = new Map(all.flatMap(({ environments }) => environments.map((each) => [each.name, each])));
  return [...byName.values()]
    .toSorted((a, b) => a.sortOrder - b.sortOrder || (a.name < b.name ? -1 : 1))
    .map(({ name, type }) => ({ name, type }));
}
