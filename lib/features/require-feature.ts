import { ApiError, notFound } from '../errors.ts';
import type { StoredFeature } from './feature-items.ts';

/** @throws ApiError 404 where the feature is unknown or lives in another project. */
export function requireFeature(stored: StoredFeature | undefined, name: string, project: string): StoredFeature {
  if (stored?.feature.project !== project)
    throw notFound(`feature in the project "${project.slice(0, 100)}" named`, name);
  return stored;
}

/** @throws ApiError 404 where the feature is archived: an archive is read and revived, not edited. */
export function requireLive(stored: StoredFeature): StoredFeature {
  const { name, archivedAt } = stored.feature;
  if (archivedAt !== null) throw new ApiError('NotFoundError', `The feature "${name}" is archived.`);
  return stored;
}
