import { type ShelvedFeature, shelfOf } from '../../delivery/snapshot/shelf.ts';
import type { Actor } from '../../events/actor.ts';
import { onboardingStep } from '../../insights/onboarding.ts';
import { statisticsOf } from '../../insights/statistics.ts';
import { loadMembers } from '../../people/accounts.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { lastUseOf } from '../../usage/last-seen.ts';
import { loadDefaultStrategies } from '../default-strategy.ts';
import { favoriteProjectsOf } from '../favorites.ts';
import { type FeatureCounts, loadFeatureCounts } from '../ledger.ts';
import type { ProjectOverview } from '../project-schema.ts';
import { projects } from '../projects.ts';
import { healthOf } from './health.ts';
import { memberCount } from './members.ts';

/**
 * Returns a project with its environments, its counts, and the recent activity of its features.
 * @param user the user whose favorites are marked.
 * @returns the overview with the version of the project.
 * @throws ApiError 404 where there is no such project.
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
      shelfOf(request, id),
      favoriteProjectsOf(request, user),
      lastUseOf(request, id),
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
    members: memberCount(members, id),
    ...healthOf(counts),
    environments: project.environments.map(({ name: environment, approval }) => {
      const defaultStrategy = defaults.get(environment)?.strategy;
      return {
        environment,
        changeRequestsEnabled: approval !== undefined,
        ...(defaultStrategy !== undefined && { defaultStrategy }),
      };
    }),
    featureTypeCounts: typeCounts(counts),
    stats: statisticsOf([...features.values()], project, Date.now()),
    onboardingStatus: onboardingStatus([...features.values()], lastUse),
  };
  return { value, version: revision, shown: true };
}

/** Returns the onboarding status of a project, which ends when applications use its features. */
export function onboardingStatus(
  features: readonly ShelvedFeature[],
  lastUse: string | undefined,
): ProjectOverview['onboardingStatus'] {
  const first = features.find(({ feature }) => feature.archivedAt === null);
  const status = onboardingStep(first !== undefined, lastUse);
  return status === 'first-flag-created' ? { status, feature: first?.feature.name ?? '' } : { status };
}

/** Counts the live features of each type, by type. */
export function typeCounts({ types }: FeatureCounts): ProjectOverview['featureTypeCounts'] {
  return [...types].map(([type, count]) => ({ type, count })).toSorted((a, b) => a.type.localeCompare(b.type));
}
