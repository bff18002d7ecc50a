import { ApiError, notFound } from '../errors.ts';
import { type Caller, type PermittedCaller, requirePermission } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import type { Feature } from './feature.ts';
import type { FeatureHead, StoredFeature } from './items/feature-items.ts';

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

/** @throws ApiError 404 where the feature is not archived: what is live is not to be found in the archive. */
export function requireArchived<T extends StoredFeature | FeatureHead>(stored: T): T {
  const { name, archivedAt } = 'feature' in stored ? stored.feature : stored;
  if (archivedAt === null) throw new ApiError('NotFoundError', `The feature "${name}" is not archived.`);
  return stored;
}

/**
 * A feature that a path names without its project, and the caller as one who may change it.
 * @throws ApiError 403 for a caller without the permission in its project, whether it exists or not; 404 where it does not.
 */
export function requirePermitted(
  stored: StoredFeature | undefined,
  name: string,
  caller: Caller,
  permission: Permission,
): { readonly stored: StoredFeature; readonly by: PermittedCaller } {
  const by = requirePermission(caller, [permission], stored?.feature.project);
  if (stored === undefined) throw notFound('feature', name);
  return { stored, by };
}

/** @throws ApiError 404 where the feature is unknown or lives in another project. */
export function requireHead(head: FeatureHead | undefined, name: string, project: string): FeatureHead {
  if (head?.project !== project) throw missing(name, project);
  return head;
}

/** @throws ApiError 404 where the feature is unknown, lives in another project, or is archived. */
export function requireLiveHead(found: FeatureHead | undefined, name: string, project: string): FeatureHead {
  const head = requireHead(found, name, project);
  assertLive(head);
  return head;
}

function assertLive({ name, archivedAt }: Pick<Feature, 'name' | 'archivedAt'>): void {
  if (archivedAt !== null) throw new ApiError('NotFoundError', `The feature "${name}" is archived.`);
}

function missing(name: string, project: string): ApiError {
  return notFound(`feature in the project "${project.slice(0, 100)}" named`, name);
}
