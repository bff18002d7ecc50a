import type { Actor } from '../../events/actor.ts';
import { loadReadModel } from '../../features/read-model/read-model.ts';
import { isPotentiallyStale, listFeatureTypes } from '../../features/types/feature-types.ts';
import { loadMembers } from '../../identity/accounts.ts';
import { countMembers } from '../../identity/count-members.ts';
import { healthOf, loadFeatureCounts } from '../../projects/ledger.ts';
import type { HealthReport, LeadTime, ProjectInsights, ProjectWithFeatures } from '../../projects/project-schema.ts';
import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { listFeatures } from '../../search/search-features.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { computeLeadTime, computeStatistics } from '../statistics.ts';
import { listTypeCounts, loadProjectOverview } from './project-overview.ts';

/**
 * Returns a project with its features, in the form of Unleash 6.
 * @param user the user whose favorites the reply marks.
 * @returns the project with its version.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadProjectWithFeatures(
  request: Request,
  user: Actor,
  id: string,
): Promise<Versioned<ProjectWithFeatures>> {
  const [overview, features] = await Promise.all([
    loadProjectOverview(request, user, id),
    listFeatures(request, user, id),
  ]);
  const {
    linkTemplates: _links,
    archivedAt: _archived,
    featureTypeCounts: _types,
    onboardingStatus: _,
    ...project
  } = overview.value;
  return { ...overview, value: { ...project, features } };
}

/**
 * Returns a project as `loadProjectWithFeatures` does, with the number of stale and potentially stale features.
 * @throws ApiError as `loadProjectWithFeatures` does.
 */
export async function loadHealthReport(request: Request, user: Actor, id: string): Promise<Versioned<HealthReport>> {
  const [{ value: project, ...revision }, types] = await Promise.all([
    loadProjectWithFeatures(request, user, id),
    listFeatureTypes(request),
  ]);
  const { features } = project;
  const staleCount = features.filter(({ stale }) => stale).length;
  const now = Date.now();
  const value = {
    ...project,
    activeCount: features.length - staleCount,
    staleCount,
    potentiallyStaleCount: features.filter((feature) => isPotentiallyStale(feature, types, now)).length,
  };
  return { ...revision, value };
}

/**
 * Returns the health and the recent activity of a project.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadProjectInsights(request: Request, id: string): Promise<ProjectInsights> {
  const [project, counts, members, types, { features: byName }] = await Promise.all([
    loadProject(request, id),
    loadFeatureCounts(request, id),
    loadMembers(request),
    listFeatureTypes(request),
    loadReadModel(request, id),
  ]);
  const at = Date.now();
  const features = [...byName.values()];
  const live = features.map(({ feature }) => feature).filter(({ archivedAt }) => archivedAt === null);
  const { health, technicalDebt } = healthOf(counts);
  const states = {
    activeCount: counts.live - counts.stale,
    staleCount: counts.stale,
    potentiallyStaleCount: live.filter((feature) => isPotentiallyStale(feature, types, at)).length,
  };
  return {
    stats: computeStatistics(features, project, at),
    leadTime: computeLeadTime(features, project),
    featureTypeCounts: listTypeCounts(counts),
    health: { rating: health, ...states },
    technicalDebt: { rating: technicalDebt, ...states },
    members: { currentMembers: countMembers(members, id), change: 0 },
  };
}

/**
 * Returns the time that the features of a project took to be switched on in production.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadLeadTime(request: Request, id: string): Promise<LeadTime> {
  const [project, { features }] = await Promise.all([loadProject(request, id), loadReadModel(request, id)]);
  return computeLeadTime([...features.values()], project);
}
