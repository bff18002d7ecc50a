import { ApiError, notFound } from '../errors.ts';
import { type Caller, type PermittedCaller, requirePermission } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import type { Feature } from './feature.ts';
import type { FeatureHead, StoredFeature } from './items/feature-items.ts';

/** @throws ApiError 404 for a feature that is unknown or in another project. */
export function requireFeature(stored: StoredFeature | undefined, name: string, project: string): StoredFeature {
  if (stored?.feature.project !== project) throw buildNotFound(name, project);
  return stored;
}

/** @throws ApiError 404 for an archived feature: it can be revived or deleted, but not edited. */
export function requireLive(stored: StoredFeature): StoredFeature {
  assertLive(stored.feature);
  return stored;
}

/** @throws ApiError 404 for a live feature: it is not in the archive. */
export function requireArchived<T extends StoredFeature | FeatureHead>(stored: T): T {
  const { name, archivedAt } = 'feature' in stored ? stored.feature : stored;
  if (archivedAt === null) throw new ApiError('NotFoundError', `The feature "${name}" is not archived.`);
  return stored;
}

/**
 * Checks a caller's permission on a feature that a path names without its project.
 * @throws ApiError 403 for a caller without the permission in the feature's project, whether the feature exists or not;
 * 404 for an unknown feature.
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

/** @throws ApiError 404 for a feature that is unknown or in another project. */
export function requireHead(head: FeatureHead | undefined, name: string, project: string): FeatureHead {
  if (head?.project !== project) throw buildNotFound(name, project);
  return head;
}

/** @throws ApiError 404 for a feature that is unknown, in another project, or archived. */
export function requireLiveHead(loaded: FeatureHead | undefined, name: string, project: string): FeatureHead {
  const head = requireHead(loaded, name, project);
  assertLive(head);
  return head;
}

function assertLive({ name, archivedAt }: Pick<Feature, 'name' | 'archivedAt'>): void {
  if (archivedAt !== null) throw new ApiError('NotFoundError', `The feature "${name}" is archived.`);
}

function buildNotFound(name: string, project: string): ApiError {
  return notFound(`feature in the project "${project.slice(0, 100)}" named`, name);
}
