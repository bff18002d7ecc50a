import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../../entity/effects.ts';
import { ApiError, type ErrorDetail, invalidRequest, notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import { changeOwn, planLiveChange, planOwnChange } from '../change-live.ts';
import type { Feature, FeaturePath } from '../feature.ts';
import { featureDependenciesRemoved, featureDependencyAdded, featureDependencyRemoved } from '../feature-events.ts';
import type { Dependency } from '../feature-schema.ts';
import { loadFeature } from '../feature-store.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import {
  childrenMax,
  hasChildrenMessage,
  listParentProblems,
  type ParentFacts,
  selfDependencyMessage,
  tooManyChildrenMessage,
} from './parent-rules.ts';

/**
 * Plans to make a parent the only dependency of a feature. As on Unleash, it replaces an existing parent: its admin UI
 * changes a parent or its variants this way. Only an import can give a feature several parents.
 * @throws ApiError 404 for an unknown project, feature or parent; 400 with every rule that the parent breaks.
 */
export function planAddDependency(request: Request, path: FeaturePath, input: Dependency) {
  // A parent that is off has no variant.
  const dependency = input.enabled ? input : { ...input, variants: [] };
  return planLiveChange(request, path, {
    read: () => loadFeature(request, dependency.feature),
    decide: ({ stored, feature, facts: parent }) => {
      assertParent(stored, parent, dependency);
      const after = { ...feature, dependencies: [dependency] };
      const isReplaced = feature.dependencies.some((old) => old.feature !== dependency.feature);
      const events = [
        ...(isReplaced ? [featureDependenciesRemoved(feature)] : []),
        ...(isDeepStrictEqual(feature.dependencies, [dependency])
          ? []
          : [featureDependencyAdded(isReplaced ? { ...feature, dependencies: [] } : feature, dependency)]),
      ];
      return { after, events, value: undefined };
    },
  });
}

function assertParent(child: StoredFeature, parent: StoredFeature | undefined, dependency: Dependency): void {
  const { feature, revision } = child;
  if (dependency.feature === feature.name) throw buildRefusal([selfDependencyMessage(feature.name)]);
  if (parent === undefined) {
    const { message } = notFound('feature', dependency.feature);
    throw new ApiError('NotFoundError', message, [{ message, path: 'feature' }]);
  }
  const isChild = feature.dependencies.some((old) => old.feature === dependency.feature);
  const childCount = parent.revision.childCount + 1;
  const problems = [
    ...(revision.childCount > 0 ? [hasChildrenMessage(feature.name)] : []),
    ...listParentProblems(dependency, factsOf(parent.feature, feature.project)),
    ...(!isChild && childCount > childrenMax ? [tooManyChildrenMessage(dependency.feature, childCount)] : []),
  ];
  if (problems.length > 0) throw buildRefusal(problems);
}

function factsOf(parent: Feature, project: string): ParentFacts {
  return {
    isElsewhere: parent.project !== project,
    isArchived: parent.archivedAt !== null,
    hasParent: parent.dependencies.length > 0,
  };
}

function buildRefusal(problems: readonly string[]): ApiError {
  return invalidRequest(problems.map((message): ErrorDetail => ({ message, path: 'feature' })));
}

/**
 * Removes a parent from a feature.
 * @throws ApiError 404 for an unknown project or feature, or a feature without this parent; 412 if `If-Match` does not match.
 */
export function removeDependency(request: FlagRequest, actor: Actor, path: FeaturePath, parent: string) {
  return changeOwn(request, actor, path, (feature) => {
    const dependencies = feature.dependencies.filter((dependency) => dependency.feature !== parent);
    if (dependencies.length === feature.dependencies.length) {
      throw notFound(`parent of the feature "${feature.name}" named`, parent);
    }
    const after = { ...feature, dependencies };
    return { after, event: featureDependencyRemoved(feature, parent) };
  });
}

/**
 * Plans to remove all parents of a feature.
 * @throws ApiError 404 for an unknown project or feature.
 */
export function planRemoveDependencies(request: Request, path: FeaturePath) {
  return planOwnChange(request, path, (feature) => ({
    after: { ...feature, dependencies: [] },
    event: feature.dependencies.length > 0 ? featureDependenciesRemoved(feature) : undefined,
  }));
}
