import { ApiError, notFound } from '../errors.ts';
import type { Feature } from './feature.ts';
import type { FeatureHead, StoredFeature } from './feature-items.ts';

/** @throws ApiError 404 where the feature is unknown or lives in another project. */
export function requireFeature(stored: StoredFeature | undefined, name: string, project: string): StoredFeature {
  if (stored?.feature.project !== project) throw missing(name, project);
  return stored;
}

/** @throws ApiError 404 where the feature is archived: an archive is read and revived, not edited. */
export function requireLive(stored: StoredFeature): StoredFeature {
  assertLive(stored.feature);
  return stored;
}

/** @throws ApiError 404 where the feature is unknown, lives in another project, or is archived. */
export function requireLiveHead(head: FeatureHead | undefined, name: string, project: string): FeatureHead {
  if (head?.project !== project) throw missing(name, project);
  assertLive(head);
  return head;
}

function assertLive({ name, archivedAt }: Pick<Feature, 'name' | 'archivedAt'>): void {
  if (archivedAt !== null) throw new ApiError('NotFoundError', `The feature "${name}" is archived.`);
}

function missing(name: string, project: string): ApiError {
  return notFound(`feature in the project "${project.slice(0, 100)}" named`, name);
}
