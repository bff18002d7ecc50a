import type { FlagRequest } from '../../entity/effects.ts';
import { ApiError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Request } from '../../request.ts';
import type { FeatureChangePlan } from '../change-feature.ts';
import { changeFeatures, toFeatureUnit } from '../change-features.ts';
import type { Feature, FeaturePath } from '../feature.ts';
import { featureArchived, featureDependenciesRemoved } from '../feature-events.ts';
import { loadChildren, loadFeatureIn, loadHeads, loadRest } from '../feature-store.ts';
import { applyFeatureUpdate } from '../items/apply-feature-update.ts';
import type { FeatureHead, StoredFeature } from '../items/feature-items.ts';
import { requireFeature, requireHead, requireLive } from '../require-feature.ts';

/**
 * Plans to archive a feature. The feature loses its dependencies, but keeps its states in the environments.
 * @throws ApiError 404 for an unknown or archived feature; 409 while other features depend on it.
 */
export function planArchive(
  request: Request,
  { projectId, featureName }: FeaturePath,
): FeatureChangePlan<{ readonly stored: StoredFeature | undefined }, void> {
  return {
    name: featureName,
    likelyEvents: 2,
    read: async () => ({ stored: await loadFeatureIn(request, featureName, []) }),
    decide: ({ stored: loaded }, at) => {
      const stored = requireLive(requireFeature(loaded, featureName, projectId));
      if (stored.revision.childCount > 0) throw buildChildrenError([featureName], 'archived');
      return { stored, ...decideArchive(stored.feature, at), value: undefined };
    },
  };
}

/**
 * Archives features, each as `planArchive` does; a parent can be archived together with all its children. Archived
 * features do not change.
 * @throws ApiError 404 for the first feature that is unknown or of another project; 409 while other features depend on
 * one of them; 400 for more writes than a request may have.
 */
export function archiveFeatures(
  request: FlagRequest,
  actor: Actor,
  projectId: string,
  featureNames: readonly string[],
) {
  return changeFeatures(request, actor, featureNames, {
    // The feature is archived, and its dependencies are removed.
    likelyEvents: 2,
    read: async () => undefined,
    require: (head, name) => requireHead(head, name, projectId),
    select: async (heads) => {
      const live = heads.filter(({ archivedAt }) => archivedAt === null);
      const parents = await listParentsOfOthers(request, live, featureNames);
      if (parents.length > 0) throw buildChildrenError(parents, 'archived');
      return live;
    },
    load: (head) => loadRest(request, head, []),
    decide: (_head, stored, _facts, at) => toFeatureUnit(request, stored, decideArchive(stored.feature, at)),
    isLater: isParent,
  });
}

export interface ArchiveCheck {
  /** The features that cannot be archived, because features outside of the list depend on them. */
  readonly parentsWithChildFeatures: readonly string[];
  /** True if archiving would delete dependencies. */
  readonly hasDeletedDependencies: boolean;
}

/**
 * Lists the obstacles to archiving features, and whether dependencies would be deleted.
 * @throws ApiError 404 for the first feature that is unknown or of another project.
 */
export async function checkArchiving(
  request: Request,
  projectId: string,
  featureNames: readonly string[],
): Promise<ArchiveCheck> {
  const names = [...new Set(featureNames)];
  const heads = await loadHeads(request, names);
  const all = names.map((name) => requireHead(heads.get(name), name, projectId));
  const parentsWithChildFeatures = await listParentsOfOthers(request, all, names);
  return { parentsWithChildFeatures, hasDeletedDependencies: all.some((head) => isParent(head) || isChild(head)) };
}

/** Returns the archived feature and the events. */
function decideArchive(feature: Feature, at: string): { readonly after: Feature; readonly events: NewEvent[] } {
  const { dependencies } = feature;
  const after = { ...applyFeatureUpdate(feature, { archived: true }, at), dependencies: [] };
  const removal = dependencies.length > 0 ? [featureDependenciesRemoved(feature)] : [];
  return {
    // Parts are compared by identity, so a new empty list would count as a change.
    after: dependencies.length > 0 ? after : { ...after, dependencies },
    events: [...removal, featureArchived(after)],
  };
}

/** Lists the given features on which a feature that is not given depends. */
export async function listParentsOfOthers(
  request: Request,
  heads: readonly FeatureHead[],
  names: readonly string[],
): Promise<string[]> {
  const namedSet = new Set(names);
  const parents = heads.filter(isParent);
  const children = await Promise.all(
    parents.map(({ name }) => request.store.limiter(() => loadChildren(request, name))),
  );
  return parents.flatMap(({ name }, index) => (children[index]?.some((child) => !namedSet.has(child)) ? [name] : []));
}

/** Builds the 409 for features on which other features depend. */
export function buildChildrenError(names: readonly string[], operation: 'archived' | 'deleted'): ApiError {
  const [first = ''] = names;
  const subject =
    names.length === 1 ? `The feature "${first}"` : `${names.length} of the features, "${first}" among them,`;
  return new ApiError(
    'InUseError',
    `${subject} cannot be ${operation} while other features depend on ${names.length === 1 ? 'it' : 'them'}; remove these dependencies first.`,
    names.map((name) => ({ message: `Features depend on "${name}".` })),
  );
}

/** Tells whether other features depend on a feature. */
export function isParent({ revision }: FeatureHead): boolean {
  return revision.childCount > 0;
}

/** Tells whether a feature depends on other features. */
function isChild({ own, revision }: FeatureHead): boolean {
  return revision.partVersions.has('dependencies') || (own.dependencies ?? '[]') !== '[]';
}
