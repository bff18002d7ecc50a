import { loadNewestEvents } from '../events/event-log.ts';
import { summarizeEvent } from '../events/event-summary.ts';
import { loadFavorites } from '../features/favorites.ts';
import { loadReadModel, loadReadModels } from '../features/read-model/read-model.ts';
import { isPotentiallyStale, listFeatureTypes } from '../features/types/feature-types.ts';
import { loadLastUse } from '../features/use/last-seen.ts';
import { loadMembers } from '../identity/accounts.ts';
import type { Caller, PermittedCaller } from '../identity/caller.ts';
import { rootRoles } from '../identity/permissions.ts';
import { loadRolesOfCaller } from '../people/profile.ts';
import { healthOf, loadFeatureCounts } from '../projects/ledger.ts';
import { listProjectIds, loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { distinctBy } from '../values/lists.ts';
import type { Dashboard, DashboardProject } from './dashboard-schema.ts';
import { computeOnboardingStatus, listProjects, ownersOf } from './projects/project-overview.ts';

/** The most features on a dashboard. */
const flagsMax = 100;
/** The most events per project on a dashboard, as on Unleash. */
const eventsMax = 4;

/**
 * Reads the dashboard of the caller: their own and favorite projects, or all projects if they may change all; the features
 * that they created or marked as favorites, newest first; and the owners of all visible projects, and the Admins.
 */
export async function loadDashboard(request: Request, caller: PermittedCaller): Promise<Dashboard> {
  const [all, members, readModels, isFavorite] = await Promise.all([
    listProjects(request, caller),
    loadMembers(request),
    listProjectIds(request).then((ids) => loadReadModels(request, ids)),
    loadFavorites(request, caller),
  ]);
  const user = members.users.find(({ id }) => id === caller.id);
  const ownProjects = new Set([
    ...(user?.projectRoles ?? []).map(({ project }) => project),
    ...members.groups
      .filter((group) => group.members.some(({ userId }) => userId === caller.id))
      .flatMap(({ projectRoles }) => projectRoles.map(({ project }) => project)),
  ]);
  const projects = caller.may('UPDATE_FEATURE')
    ? all
    : all.filter(({ id, favorite }) => favorite || ownProjects.has(id));
  const owners = all.flatMap((project) => project.owners).filter((owner) => owner.ownerType === 'user');
  const flags = readModels
    .flatMap(({ features }) => [...features.values()].map(({ feature }) => feature))
    .filter((feature) => feature.archivedAt === null)
    .filter((feature) => feature.createdBy.id === caller.id || isFavorite(feature))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return {
    projects: projects.map(({ id, name, health, technicalDebt, memberCount, featureCount }) => ({
      ...{ id, name, health, technicalDebt, memberCount, featureCount },
    })),
    flags: flags.slice(0, flagsMax).map(({ name, project, type }) => ({ name, project, type })),
    projectOwners: distinctBy(owners, ({ email, name }) => email ?? name),
    admins: members.users
      .filter(({ rootRole }) => rootRole === rootRoles.Admin)
      .map(({ id, name, username, email }) => ({
        id,
        ...(name && { name }),
        ...(username && { username }),
        ...(email && { email }),
        imageUrl: '',
      })),
  };
}

/**
 * Reads the part of the caller's dashboard about one project.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadDashboardProject(request: Request, caller: Caller, id: string): Promise<DashboardProject> {
  const [, counts, { features }, members, types, roles, { events }, lastUse] = await Promise.all([
    loadProject(request, id),
    loadFeatureCounts(request, id),
    loadReadModel(request, id),
    loadMembers(request),
    listFeatureTypes(request),
    loadRolesOfCaller(request, caller, id),
    loadNewestEvents(request, id, eventsMax, false),
    loadLastUse(request, id),
  ]);
  const live = [...features.values()].map(({ feature }) => feature).filter(({ archivedAt }) => archivedAt === null);
  const at = Date.now();
  const health = healthOf(counts);
  const potentiallyStaleFlags = live.filter((feature) => isPotentiallyStale(feature, types, at)).length;
  return {
    owners: ownersOf(members, id),
    roles: roles.flatMap(({ type, id: roleId, name }) =>
      type === 'project' || type === 'custom' ? [{ type, id: roleId, name }] : [],
    ),
    latestEvents: events.map((event) => ({
      id: event.id,
      summary: summarizeEvent(event),
      createdBy: event.createdBy,
      createdByImageUrl: '',
      createdAt: event.createdAt,
    })),
    onboardingStatus: computeOnboardingStatus([...features.values()], lastUse),
    insights: {
      // Past health is not stored. If it is null, Unleash's admin UI shows the current one only.
      avgHealthCurrentWindow: health.health,
      avgHealthPastWindow: null,
      totalFlags: counts.live,
      activeFlags: Math.max(counts.live - counts.stale - potentiallyStaleFlags, 0),
      staleFlags: counts.stale,
      potentiallyStaleFlags,
      ...health,
    },
  };
}
