import { createHash } from 'node:crypto';
import type { Actor } from '../events/actor.ts';
import { projects } from '../projects/projects.ts';
import type { FeatureView } from '../schemas/feature.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import { usageInThisHour } from '../usage/feature-usage.ts';
import { lastSeenOfOne } from '../usage/last-seen.ts';
import { favoriteOf } from './favorites.ts';
import { type FeatureUse, featureView } from './feature.ts';
import { loadFeature } from './feature-store.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { MetadataPlace } from './update-feature.ts';

/**
 * A complete feature, with whether it is a favorite of the user and how it is used. An archived one is found in the archive: clients take a
 * 404 here as the sign that it is gone.
 * @throws ApiError 404 for an unknown project or feature, and for an archived one.
 */
export async function getFeature(
  table: Table,
  user: Actor,
  { projectId, featureName }: MetadataPlace,
): Promise<Versioned<FeatureView>> {
  const [project, found, isFavorite, lastSeenOf, evaluations] = await Promise.all([
    projects.load(table, projectId),
    retryLostRaces(table, () => loadFeature(table, featureName)),
    favoriteOf(table, user, featureName),
    lastSeenOfOne(table, projectId, featureName),
    usageInThisHour(table, featureName),
  ]);
  const { feature, revision } = requireLive(requireFeature(found, featureName, projectId));
  const use = { lastSeen: lastSeenOf(feature), evaluations };
  const value = { ...featureView(feature, project.value, use), favorite: isFavorite(feature) };
  return { value, version: revision.version, shown: `${project.version}${tagOf(use)}` };
}

/** Another one for another use; none while there is none. */
function tagOf({ lastSeen, evaluations }: FeatureUse): string {
  if (lastSeen.size + evaluations.size === 0) return '';
  const text = JSON.stringify([[...lastSeen], [...evaluations]]);
  return `-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}
