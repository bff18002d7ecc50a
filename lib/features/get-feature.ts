import type { Actor } from '../events/actor.ts';
import { projects, requireEnvironment } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { sha256 } from '../values/sha256.ts';
import type { FeaturePlace } from './environments/change-environment.ts';
import { favoriteOf } from './favorites.ts';
import { type Feature, type FeatureUse, featureEnvironmentView, featureView } from './feature.ts';
import type { FeatureInEnvironment, FeatureView } from './feature-schema.ts';
import { loadFeature, readFeatureIn } from './feature-store.ts';
import type { StoredFeature } from './items/feature-items.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { MetadataPlace } from './update-feature.ts';
import { usageInThisHour } from './use/feature-usage.ts';
import { lastSeenOfOne } from './use/last-seen.ts';

/**
 * Reads a complete feature, its use, and whether it is a favorite of the user. An archived one is found in the archive:
 * clients take a 404 here as the sign that it is gone.
 * @throws ApiError 404 for an unknown project or feature, and for an archived one.
 */
export async function getFeature(request: Request, user: Actor, place: MetadataPlace): Promise<Versioned<FeatureView>> {
  const { projectId, featureName } = place;
  const [project, found, isFavorite, useOf] = await Promise.all([
    projects.load(request, projectId),
    retryLostRaces(request, () => loadFeature(request, featureName)),
    favoriteOf(request, user, featureName),
    loadUse(request, place),
  ]);
  const { feature, revision } = requireLive(requireFeature(found, featureName, projectId));
  const use = useOf(feature);
  const value = { ...featureView(feature, project.value, use), favorite: isFavorite(feature) };
  return { value, version: revision.version, shown: `${project.version}${tagOf(use)}` };
}

/**
 * Reads a feature of a project without its environments, an archived one included.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function loadPlaced(request: Request, { projectId, featureName }: MetadataPlace): Promise<StoredFeature> {
  const [, found] = await Promise.all([projects.load(request, projectId), readFeatureIn(request, featureName, [])]);
  return requireFeature(found, featureName, projectId);
}

/**
 * Reads the state of a feature, archived or not, in an environment of its project, and its use there.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function getFeatureEnvironment(
  request: Request,
  place: FeaturePlace,
): Promise<Versioned<FeatureInEnvironment>> {
  const { projectId, featureName, environment } = place;
  const [project, found, useOf] = await Promise.all([
    projects.load(request, projectId),
    readFeatureIn(request, featureName, [environment]),
    loadUse(request, place),
  ]);
  const { feature, revision } = requireFeature(found, featureName, projectId);
  const use = useOf(feature);
  const view = featureEnvironmentView(feature, requireEnvironment(project.value, environment), use);
  const strategies = view.strategies.map((strategy) => ({ ...strategy, featureName }));
  const value = { ...view, name: featureName, strategies };
  return { value, version: revision.version, shown: `${project.version}${tagOf(use)}` };
}

async function loadUse(
  request: Request,
  { projectId, featureName }: MetadataPlace,
): Promise<(feature: Feature) => FeatureUse> {
  const [lastSeenOf, evaluations] = await Promise.all([
    lastSeenOfOne(request, projectId, featureName),
    usageInThisHour(request, featureName),
  ]);
  return (feature) => ({ lastSeen: lastSeenOf(feature), evaluations });
}

/** Another one for another use; none while there is none. */
function tagOf({ lastSeen, evaluations }: FeatureUse): string {
  if (lastSeen.size + evaluations.size === 0) return '';
  const text = JSON.stringify([[...lastSeen], [...evaluations]]);
  return `-${sha256(text).slice(0, 8)}`;
}
