import type { Actor } from '../events/actor.ts';
import { projects } from '../projects/projects.ts';
import type { FeatureView } from '../schemas/feature.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import { favoriteOf } from './favorites.ts';
import { featureView } from './feature.ts';
import { loadFeature } from './feature-store.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { MetadataPlace } from './update-feature.ts';

/**
 * A complete feature, with whether it is a favorite of the user. An archived one is found in the archive: clients take a
 * 404 here as the sign that it is gone.
 * @throws ApiError 404 for an unknown project or feature, and for an archived one.
 */
export async function getFeature(
  table: Table,
  user: Actor,
  { projectId, featureName }: MetadataPlace,
): Promise<Versioned<FeatureView>> {
  const [project, found, isFavorite] = await Promise.all([
    projects.load(table, projectId),
    retryLostRaces(table, () => loadFeature(table, featureName)),
    favoriteOf(table, user, featureName),
  ]);
  const { feature, revision } = requireLive(requireFeature(found, featureName, projectId));
  const value = { ...featureView(feature, project.value), favorite: isFavorite(feature) };
  return { value, version: revision.version, shownVersion: project.version };
}
