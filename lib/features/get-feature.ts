import type { Actor } from '../events/actor.ts';
import { projects, requireEnvironment } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { sha256 } from '../values/sha256.ts';
import type { EnvironmentPath } from './environments/change-environment.ts';
import { loadIsFavorite } from './favorites.ts';
import type { Feature, FeaturePath } from './feature.ts';
import type { FeatureInEnvironment, FeatureView } from './feature-schema.ts';
import { loadFeature, loadFeatureInWithRetry } from './feature-store.ts';
import { type FeatureUse, toFeatureEnvironmentView, toFeatureView } from './feature-views.ts';
import type { StoredFeature } from './items/feature-items.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import { loadUsageOfLastHour } from './use/feature-usage.ts';
import { loadLastSeen } from './use/last-seen.ts';

/**
 * Reads a complete feature, its use, and whether it is a favorite of the user.
 * @throws ApiError 404 for an unknown project or feature, or for an archived one: clients conclude from a 404 that the
 * feature was archived or deleted.
 */
export async function getFeature(request: Request, user: Actor, path: FeaturePath): Promise<Versioned<FeatureView>> {
  const { value, ...versions } = await getFeatureWithCharts(request, user, path);
  return { value: value.view, ...versions };
}

/**
 * Reads a feature as `getFeature` does, and its saved charts.
 * @throws ApiError as `getFeature` does.
 */
export async function getFeatureWithCharts(request: Request, user: Actor, path: FeaturePath) {
  const { projectId, featureName } = path;
  const [project, stored, isFavorite, useOf] = await Promise.all([
    projects.load(request, projectId),
    retryLostRaces(request, () => loadFeature(request, featureName)),
    loadIsFavorite(request, user, featureName),
    loadUse(request, path),
  ]);
  const { feature, revision } = requireLive(requireFeature(stored, featureName, projectId));
  const use = useOf(feature);
  const view: FeatureView = { ...toFeatureView(feature, project.value, use), favorite: isFavorite(feature) };
  const value = { view, charts: feature.charts };
  return { value, version: revision.version, shown: `${project.version}${etagSuffixOf(use)}` };
}

/**
 * Reads a feature of a project, archived or not, without its environments.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function loadFeatureOfProject(
  request: Request,
  { projectId, featureName }: FeaturePath,
): Promise<StoredFeature> {
  const [, stored] = await Promise.all([
    projects.load(request, projectId),
    loadFeatureInWithRetry(request, featureName, []),
  ]);
  return requireFeature(stored, featureName, projectId);
}

/**
 * Reads the state of a feature, archived or not, in an environment of its project, and its use there.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function getFeatureEnvironment(
  request: Request,
  path: EnvironmentPath,
): Promise<Versioned<FeatureInEnvironment>> {
  const { projectId, featureName, environment } = path;
  const [project, stored, useOf] = await Promise.all([
    projects.load(request, projectId),
    loadFeatureInWithRetry(request, featureName, [environment]),
    loadUse(request, path),
  ]);
  const { feature, revision } = requireFeature(stored, featureName, projectId);
  const use = useOf(feature);
  const view = toFeatureEnvironmentView(feature, requireEnvironment(project.value, environment), use);
  const strategies = view.strategies.map((strategy) => ({ ...strategy, featureName }));
  const value = { ...view, name: featureName, strategies };
  return { value, version: revision.version, shown: `${project.version}${etagSuffixOf(use)}` };
}

async function loadUse(
  request: Request,
  { projectId, featureName }: FeaturePath,
): Promise<(feature: Feature) => FeatureUse> {
  const [lastSeenOf, evaluations] = await Promise.all([
    loadLastSeen(request, projectId, featureName),
    loadUsageOfLastHour(request, featureName),
  ]);
  return (feature) => ({ lastSeen: lastSeenOf(feature), evaluations });
}

/** Returns the part of the ETag that changes with the use; empty while there is none. */
function etagSuffixOf({ lastSeen, evaluations }: FeatureUse): string {
  if (lastSeen.size + evaluations.size === 0) return '';
  const text = JSON.stringify([[...lastSeen], [...evaluations]]);
  return `-${sha256(text).slice(0, 8)}`;
}
