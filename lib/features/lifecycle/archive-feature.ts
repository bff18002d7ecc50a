import type { FlagRequest } from '../../entity/effects.ts';
import { ApiError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Request } from '../../request.ts';
import type { FeatureChangePlan } from '../change-feature.ts';
import { changeFeatures, toFeatureUnit } from '../change-features.ts';
import type { Feature } from '../feature.ts';
import { featureArchived, featureDependenciesRemoved } from '../feature-events.ts';
import { loadChildren, loadFeatureIn, loadHeads, loadRest } from '../feature-store.ts';
import { applyFeatureUpdate } from '../items/apply-feature-update.ts';
import type { FeatureHead, StoredFeature } from '../items/feature-items.ts';
import { requireFeature, requireHead, requireLive } from '../require-feature.ts';
import type { FeaturePath } from '../update-feature.ts';

/**
 * Archives a feature. It depends on no other one from then on, but keeps what it is in its environments.
 * @throws ApiError 404 for an unknown feature, and for an archived one; 409 while other features depend on it.
 */
export function planArchive(
  request: Request,
  { projectId, featureName }: FeaturePath,
): FeatureChangePlan<{ readonly stored: StoredFeature | undefined }, void> {
  return {
    name: featureName,
    likelyEvents: 2,
    read: async () => ({ stored: await loadFeatureIn(request, featureName, []) }),
    decide: ({ stored: found }, at) => {
      const stored = requireLive(requireFeature(found, featureName, projectId));
      if (stored.revision.childCount > 0) throw haveChildren([featureName], 'archived');
      return { stored, ...decideArchive(stored.feature, at), value: undefined };
    },
  };
}

/**
 * Archives features, each as `planArchive` does; of a parent and its children, all. Those that are archived stay so.
 * @throws ApiError 404 for the first that is unknown or of another project; 409 while others depend on one of them; 400
 * for more than one request may write.
 */
export function archiveFeatures(
  request: FlagRequest,
  actor: Actor,
  projectId: string,
  featureNames: readonly string[],
) {
  return changeFeatures(request, actor, featureNames, {
    // One that it is archived, and one that it depends on nothing any more.
    likelyEvents: 2,
    read: async () => undefined,
    require: (head, name) => requireHead(head, name, projectId),
    select: async (heads) => {
      const live = heads.filter(({ archivedAt }) => archivedAt === null);
      const parents = await parentsOfOthers(request, live, featureNames);
      if (parents.length > 0) throw haveChildren(parents, 'archived');
      return live;
    },
    load: (head) => loadRest(request, head, []),
    decide: (_head, stored, _found, at) => toFeatureUnit(request, stored, decideArchive(stored.feature, at)),
    isLater: isParent,
  });
}

export interface ArchiveCheck {
  /** Those on which features depend that are not in the list: they cannot be archived. */
  readonly parentsWithChildFeatures: readonly string[];
  /** True if dependencies would be deleted. */
  readonly hasDeletedDependencies: boolean;
}

/**
 * Lists the obstacles to archiving features, and the things that would be deleted with them.
 * @throws ApiError 404 for the first that is unknown or of another project.
 */
export async function checkArchiving(
  request: Request,
  projectId: string,
  featureNames: readonly string[],
): Promise<ArchiveCheck> {
  const names = [...new Set(featureNames)];
  const heads = await loadHeads(request, names);
  const all = names.map((name) => requireHead(heads.get(name), name, projectId));
  const parentsWithChildFeatures = await parentsOfOthers(request, all, names);
  return { parentsWithChildFeatures, hasDeletedDependencies: all.some((head) => isParent(head) || isChild(head)) };
}

/** Returns a feature as archived, with its events. */
function decideArchive(feature: Feature, at: string): { readonly after: Feature; readonly events: NewEvent[] } {
  const { dependencies } = feature;
  const after = { ...applyFeatureUpdate(feature, { archived: true }, at), dependencies: [] };
  const freed = dependencies.length > 0 ? [featureDependenciesRemoved(after)] : [];
  return {
    after: dependencies.length > 0 ? after : { ...after, dependencies },
    events: [...freed, featureArchived(after)],
  };
}

/** Returns the features that any feature other than those named depends on. */
export async function parentsOfOthers(
  request: Request,
  heads: readonly FeatureHead[],
  names: readonly string[],
): Promise<string[]> {
  const named = new Set(names);
  const parents = heads.filter(isParent);
  const children = await Promise.all(
    parents.map(({ name }) => request.store.limiter(() => loadChildren(request, name))),
  );
  return parents.flatMap(({ name }, index) => (children[index]?.some((child) => !named.has(child)) ? [name] : []));
}

/** Returns a 409 for features that others depend on. */
export function haveChildren(names: readonly string[], done: 'archived' | 'deleted'): ApiError {
  const [first = ''] = names;
  const which =
    names.length === 1 ? `The feature "${first}"` : `${names.length} of the features, "${first}" among them,`;
  return new ApiError(
    'InUseError',
    `${which} cannot be ${done} while other features depend on ${names.length === 1 ? 'it' : 'them'}; remove these dependencies first.`,
    names.map((name) => ({ message: `Features depend on "${name}".` })),
  );
}

/** Tells whether other features depend on a feature. */
export function isParent({ revision }: FeatureHead): boolean {
  return revision.childCount > 0;
}

/** Tells whether a feature depends on others. */
function isChild({ own, revision }: FeatureHead): boolean {
  return revision.partVersions.has('dependencies') || (own.dependencies ?? '[]') !== '[]';
}
