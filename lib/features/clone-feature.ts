import { randomUUID } from 'node:crypto';
import type { FlagRequest } from '../entity/effects.ts';
import { invalidRequest } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import { assertMayAll, type NeededPermission, type PermittedCaller } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import type { Project } from '../projects/projects.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { changeFeature } from './change-feature.ts';
import { loadHeadOrTombstone, requireFreeName } from './create-feature.ts';
import { childrenMax, tooManyChildrenMessage } from './dependencies/parent-rules.ts';
import { withoutPlan } from './environments/feature-environment.ts';
import { buildNewFeature, environmentOfFeature, type Feature, type FeaturePath } from './feature.ts';
import {
  featureCreated,
  featureDependencyAdded,
  featureStrategyAdded,
  featureVariantsUpdated,
} from './feature-events.ts';
import type { Dependency, FeatureView } from './feature-schema.ts';
import { loadFeature, loadHeads } from './feature-store.ts';
import { toFeatureView } from './feature-views.ts';
import * as featureKeys from './keys.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { Strategy } from './strategies/strategy-schema.ts';
import { loadTargetProject, requireNameAndCapacity } from './target-project.ts';

export interface CloneInput {
  readonly name: string;
  /** True to use the new name as the group id of the strategies that have one. */
  readonly replaceGroupId: boolean;
}

/**
 * Creates a copy of a feature: the same fields, strategies, variants and dependencies, but off in all environments and
 * without tags.
 * @throws ApiError 404 for an unknown or archived project or feature; 403 with all missing permissions, or all
 * environments where the copied content needs approval; 409 if the name is taken; 400 for a name that violates the
 * project's naming pattern, or too many features; 412 if `If-Match` names another version of the original.
 */
export function cloneFeature(
  request: FlagRequest,
  caller: PermittedCaller,
  { projectId, featureName }: FeaturePath,
  input: CloneInput,
): Promise<Versioned<FeatureView>> {
  return changeFeature(request, caller, {
    name: input.name,
    likelyEvents: 10,
    read: async () => {
      const [target, name, source] = await Promise.all([
        loadTargetProject(request, projectId),
        loadHeadOrTombstone(request, input.name),
        loadFeature(request, featureName),
      ]);
      const parents = await loadHeads(request, source?.feature.dependencies.map(({ feature }) => feature) ?? []);
      return { target, ...name, source, parents };
    },
    expected: { subject: `feature "${featureName}"`, revisionOf: ({ source }) => source?.revision },
    decide: ({ target, head, tombstone, source, parents }, at) => {
      const { project } = target;
      const { feature: original, revision } = requireLive(requireFeature(source, featureName, projectId));
      const environments = cloneEnvironments(original, project, input);
      // A feature that an update archived and revived can have a parent that is archived.
      const dependencies = original.dependencies.filter(({ feature }) => parents.get(feature)?.archivedAt === null);
      assertMayAll(caller, permissionsToAdd({ environments, dependencies }, project.id));
      requireFreeName(input.name === featureName ? original : head);
      requireNameAndCapacity(target, input.name);
      const { type, description, stale, impressionData } = original;
      const bare = buildNewFeature({
        ...{ type, description, stale, impressionData, name: input.name, project: projectId },
        createdAt: at,
        createdBy: caller,
      });
      const after = { ...bare, environments, dependencies };
      const childCountOf = ({ feature }: Dependency) => (parents.get(feature)?.revision.childCount ?? 0) + 1;
      const problems = dependencies
        .filter((dependency) => childCountOf(dependency) > childrenMax)
        .map((dependency) => ({ message: tooManyChildrenMessage(dependency.feature, childCountOf(dependency)) }));
      if (problems.length > 0) throw invalidRequest(problems);
      return {
        stored: undefined,
        tombstone,
        after,
        events: [...featureCreated(bare), ...buildContentEvents(after)],
        value: toFeatureView(after, project),
        // The transaction fails if the original was changed or deleted since it was read.
        sideEffects: {
          writes: [{ check: featureKeys.feature(featureName), when: { version: revision.version } }],
          events: [],
        },
      };
    },
  });
}

/** Lists the permissions that the operations for single strategies, variants and dependencies would require. */
function permissionsToAdd(
  { environments, dependencies }: Pick<Feature, 'environments' | 'dependencies'>,
  project: string,
): NeededPermission[] {
  const neededFor = (parts: readonly unknown[], permission: Permission, environment?: string) =>
    parts.length > 0 ? [{ permission, project, environment }] : [];
  return [
    ...[...environments].flatMap(([environment, { strategies, variants }]) => [
      ...neededFor(strategies, 'CREATE_FEATURE_STRATEGY', environment),
      ...neededFor(variants, 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment),
    ]),
    ...neededFor(dependencies, 'UPDATE_FEATURE_DEPENDENCY'),
  ];
}

function cloneEnvironments(original: Feature, project: Project, input: CloneInput): Feature['environments'] {
  return new Map(
    project.environments.map(({ name }) => {
      const { strategies, variants } = withoutPlan(environmentOfFeature(original, name));
      return [
        name,
        { enabled: false, variants, strategies: strategies.map((strategy) => cloneStrategy(strategy, input)) },
      ];
    }),
  );
}

function cloneStrategy(strategy: Strategy, { name, replaceGroupId }: CloneInput): Strategy {
  const { parameters } = strategy;
  const hasNewGroup = replaceGroupId && 'groupId' in parameters;
  return {
    ...strategy,
    id: randomUUID(),
    featureName: name,
    parameters: hasNewGroup ? { ...parameters, groupId: name } : parameters,
  };
}

function buildContentEvents(feature: Feature): NewEvent[] {
  return [
    ...[...feature.environments].flatMap(([environment, { strategies, variants }]) => [
      ...(variants.length > 0 ? [featureVariantsUpdated(feature, environment, [])] : []),
      ...strategies.map((strategy) => featureStrategyAdded(feature, environment, strategy)),
    ]),
    ...feature.dependencies.map((dependency, index) =>
      featureDependencyAdded({ ...feature, dependencies: feature.dependencies.slice(0, index) }, dependency),
    ),
  ];
}
