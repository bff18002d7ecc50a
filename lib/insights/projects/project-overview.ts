import { countDailyActivity } from '../../events/activity.ts';
import type { Actor } from '../../events/actor.ts';
import { loadReadModel, type ReadModelFeature } from '../../features/read-model/read-model.ts';
import { loadDefaultStrategies } from '../../features/strategies/default-strategy.ts';
import { loadLastUse, loadLastUses } from '../../features/use/last-seen.ts';
import { loadMembers, type Members } from '../../identity/accounts.ts';
import { countMembers } from '../../identity/count-members.ts';
import { projectRoles } from '../../identity/permissions.ts';
import { findProjectRoles, type RoleHolder } from '../../identity/roles.ts';
import { authorNameOf } from '../../identity/users.ts';
import { loadFavoriteProjects } from '../../projects/favorites.ts';
import { type FeatureCounts, healthOf, loadFeatureCounts } from '../../projects/ledger.ts';
import type { ListedProject, ProjectOverview, ProjectStatus } from '../../projects/project-schema.ts';
import { listProjectIds, loadProject, projects } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { segments } from '../../segments/segments.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { loadProjectTokens } from '../../tokens/api-tokens.ts';
import { computeStatistics, summarizeLifecycle } from '../statistics.ts';

/**
 * Returns a project with its environments, its counts, and the recent activity of its features.
 * @param user the user whose favorites the reply marks.
 * @returns the overview with the version of the project.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadProjectOverview(
  request: Request,
  user: Actor,
  id: string,
): Promise<Versioned<ProjectOverview>> {
  const [{ value: project, version: revision }, defaults, counts, members, { features }, isFavorite, lastUse] =
    await Promise.all([
      projects.load(request, id),
      loadDefaultStrategies(request, id),
      loadFeatureCounts(request, id),
      loadMembers(request),
      loadReadModel(request, id),
      loadFavoriteProjects(request, user),
      loadLastUse(request, id),
    ]);
  const { name, description, defaultStickiness, mode, featureLimit, createdAt, updatedAt, archivedAt } = project;
  const value: ProjectOverview = {
    version: 1,
    name,
    ...(description !== null && { description }),
    defaultStickiness,
    mode,
    featureLimit,
    featureNaming: project.featureNaming ?? { pattern: null, example: null, description: null },
    linkTemplates: [...project.linkTemplates],
    createdAt,
    updatedAt: updatedAt ?? createdAt,
    archivedAt,
    favorite: isFavorite(project),
    members: countMembers(members, id),
    ...healthOf(counts),
    environments: project.environments.map(({ name: environment, approval }) => {
      const defaultStrategy = defaults.get(environment)?.strategy;
      return {
        environment,
        changeRequestsEnabled: approval !== undefined,
        ...(defaultStrategy !== undefined && { defaultStrategy }),
      };
    }),
    featureTypeCounts: listTypeCounts(counts),
    stats: computeStatistics([...features.values()], project, Date.now()),
    onboardingStatus: computeOnboardingStatus([...features.values()], lastUse),
  };
  return { value, version: revision, shown: true };
}

/** Computes the onboarding status of a project. It ends with the first use of a feature by an application. */
export function computeOnboardingStatus(
  features: readonly ReadModelFeature[],
  lastUse: string | undefined,
): ProjectOverview['onboardingStatus'] {
  const first = features.find(({ feature }) => feature.archivedAt === null);
  const status = computeOnboardingStep(first !== undefined, lastUse);
  return status === 'first-flag-created' ? { status, feature: first?.feature.name ?? '' } : { status };
}

/** Counts the live features of each type, by type. */
export function listTypeCounts({ types }: FeatureCounts): ProjectOverview['featureTypeCounts'] {
  return [...types].map(([type, count]) => ({ type, count })).toSorted((a, b) => a.type.localeCompare(b.type));
}

/** Returns the holders of the role Owner in a project; the system if there are none. */
export function ownersOf({ users, serviceAccounts, groups }: Members, project: string): ListedProject['owners'] {
  const isOwner = (holder: RoleHolder) => findProjectRoles(holder, project)?.roles.includes(projectRoles.Owner);
  const owners: ListedProject['owners'] = [
    ...[...users, ...serviceAccounts].filter(isOwner).map((account) => ({
      ...{ ownerType: 'user' as const, name: account.name ?? authorNameOf(account), email: account.email ?? null },
    })),
    ...groups.filter(isOwner).map(({ name }) => ({ ownerType: 'group' as const, name })),
  ];
  return owners.length === 0 ? [{ ownerType: 'system' }] : owners;
}

/**
 * Reads the status of a project: activity, health, the stages of its features, and the numbers of its resources.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadProjectStatus(request: Request, id: string): Promise<ProjectStatus> {
  const [, counts, members, tokens, allSegments, { features }, activityCountByDate] = await Promise.all([
    loadProject(request, id),
    loadFeatureCounts(request, id),
    loadMembers(request),
    loadProjectTokens(request, id),
    segments.list(request),
    loadReadModel(request, id),
    countDailyActivity(request, id, Date.now()),
  ]);
  const { health, technicalDebt } = healthOf(counts);
  return {
    activityCountByDate,
    resources: {
      apiTokens: tokens.length,
      members: countMembers(members, id),
      segments: allSegments.filter(({ project }) => project === id).length,
    },
    health: { current: health },
    technicalDebt: { current: technicalDebt },
    lifecycleSummary: summarizeLifecycle(
      [...features.values()].map(({ feature }) => feature),
      Date.now(),
    ),
    staleFlags: { total: counts.stale },
  };
}

/**
 * Lists the live or the archived projects by name, with their counts.
 * @param user the user whose favorites the reply marks.
 */
export async function listProjects(request: Request, user: Actor, { archived = false } = {}): Promise<ListedProject[]> {
  const [ids, members, isFavorite, lastUses] = await Promise.all([
    listProjectIds(request),
    loadMembers(request),
    loadFavoriteProjects(request, user),
    loadLastUses(request),
  ]);
  const [projectsById, counts] = await Promise.all([
    projects.findSome(request, ids),
    Promise.all(
      ids.map(async (id) => [id, await request.store.limiter(() => loadFeatureCounts(request, id))] as const),
    ),
  ]);
  return counts
    .flatMap(([id, featureCounts]): ListedProject[] => {
      const project = projectsById.get(id);
      if (project === undefined) return [];
      const { name, description, defaultStickiness, createdAt, updatedAt, archivedAt, mode } = project;
      const lastUse = lastUses.get(id);
      if ((archivedAt !== null) !== archived) return [];
      return [
        {
          id,
          name,
          ...(description !== null && { description }),
          defaultStickiness,
          createdAt,
          archivedAt,
          mode,
          favorite: isFavorite(project),
          featureCount: featureCounts.live,
          staleFeatureCount: featureCounts.stale,
          ...healthOf(featureCounts),
          memberCount: countMembers(members, id),
          owners: ownersOf(members, id),
          lastReportedFlagUsage: lastUse ?? null,
          lastUpdatedAt: latestOf(updatedAt ?? createdAt, featureCounts.changedAt),
          onboardingStatus: { status: computeOnboardingStep(featureCounts.live > 0, lastUse) },
        },
      ];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

function latestOf(time: string, other: string | null): string {
  return other !== null && other > time ? other : time;
}

/** Returns the onboarding step of a project: no live feature, one or more, or use by applications. */
function computeOnboardingStep(
  hasFeature: boolean,
  lastUse: string | undefined,
): 'onboarding-started' | 'first-flag-created' | 'onboarded' {
  if (lastUse !== undefined) return 'onboarded';
  return hasFeature ? 'first-flag-created' : 'onboarding-started';
}
