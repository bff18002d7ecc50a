import { randomUUID } from 'node:crypto';
import type { FlagRequest } from '../entity/step.ts';
import { invalidRequest } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import { assertMayAll, type NeededPermission, type PermittedCaller } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import type { Project } from '../projects/projects.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { changeFeature } from './change-feature.ts';
import { loadName, requireFreeName } from './create-feature.ts';
import { childrenMax, tooManyChildren } from './dependencies/parent-rules.ts';
import { environmentOfFeature, type Feature, featureView, newFeature } from './feature.ts';
import {
  featureCreated,
  featureDependencyAdded,
  featureStrategyAdded,
  featureVariantsUpdated,
} from './feature-events.ts';
import type { Dependency, FeatureView } from './feature-schema.ts';
import { loadFeature, loadHeads } from './feature-store.ts';
import * as featureKeys from './keys.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { Strategy } from './strategies/strategy-schema.ts';
import { loadTarget, requireAllowed } from './target-project.ts';
import type { MetadataPlace } from './update-feature.ts';

export interface CloneInput {
  readonly name: string;
  /** True if strategies with the old name as their group id get the new one. */
  readonly replaceGroupId: boolean;
}

/**
 * Creates a feature as another one is: with its fields, strategies, variants and dependencies, but off everywhere and
 * without tags.
 * @throws ApiError 404 for an unknown project or feature, and for an archived one; 403 that names all permissions that
 * adding what it copies takes and the caller lacks, or all environments where that needs approval; 409 where a feature has
 * the name;
 * 400 for a name that the project does not allow and one feature too many; 412 where `If-Match` names other versions of the
 * feature that is cloned.
 */
export function cloneFeature(
  request: FlagRequest,
  caller: PermittedCaller,
  { projectId, featureName }: MetadataPlace,
  input: CloneInput,
): Promise<Versioned<FeatureView>> {
  return changeFeature(request, caller, {
    name: input.name,
    likelyEvents: 10,
    read: async () => {
      const [target, name, source] = await Promise.all([
        loadTarget(request, projectId),
        loadName(request, input.name),
        loadFeature(request, featureName),
      ]);
      const parents = await loadHeads(request, source?.feature.dependencies.map(({ feature }) => feature) ?? []);
      return { target, ...name, source, parents };
    },
    expected: { what: `feature "${featureName}"`, revisionOf: ({ source }) => source?.revision },
    decide: ({ target, head, remains, source, parents }, at) => {
      const { project } = target;
      const { feature: original, revision } = requireLive(requireFeature(source, featureName, projectId));
      const environments = clonedEnvironments(original, project, input);
      // The parent of what was archived by an update may be archived itself.
      const dependencies = original.dependencies.filter(({ feature }) => parents.get(feature)?.archivedAt === null);
      assertMayAll(caller, neededToAdd({ environments, dependencies }, project.id));
      requireFreeName(input.name === featureName ? original : head);
      requireAllowed(target, input.name);
      const { type, description, stale, impressionData } = original;
      const bare = newFeature({
        ...{ type, description, stale, impressionData, name: input.name, project: projectId },
        createdAt: at,
        createdBy: caller,
      });
      const after = { ...bare, environments, dependencies };
      const children = ({ feature }: Dependency) => (parents.get(feature)?.revision.childCount ?? 0) + 1;
      const overfull = dependencies.filter((each) => children(each) > childrenMax);
      if (overfull.length > 0)
        throw invalidRequest(overfull.map((each) => ({ message: tooManyChildren(each.feature, children(each)) })));
      return {
        stored: undefined,
        remains,
        after,
        events: [...featureCreated(bare), ...contentEvents(after)],
        value: featureView(after, project),
        // What it is made of is as it was read, so that the clone is not one of what is deleted or changed already.
        besides: {
          writes: [{ check: featureKeys.feature(featureName), when: { version: revision.version } }],
          events: [],
        },
      };
    },
  });
}

/** Lists the permissions that it takes to add this to a feature by the operations for each part of it. */
function neededToAdd(
  { environments, dependencies }: Pick<Feature, 'environments' | 'dependencies'>,
  project: string,
): NeededPermission[] {
  const toAdd = (things: readonly unknown[], permission: Permission, environment?: string) =>
    things.length > 0 ? [{ permission, project, environment }] : [];
  return [
    ...[...environments].flatMap(([environment, { strategies, variants }]) => [
      ...toAdd(strategies, 'CREATE_FEATURE_STRATEGY', environment),
      ...toAdd(variants, 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment),
    ]),
    ...toAdd(dependencies, 'UPDATE_FEATURE_DEPENDENCY'),
  ];
}

function clonedEnvironments(original: Feature, project: Project, input: CloneInput): Feature['environments'] {
  return new Map(
    project.environments.map(({ name }) => {
      const { strategies, variants } = environmentOfFeature(original, name);
      return [name, { enabled: false, variants, strategies: strategies.map((each) => cloned(each, input)) }];
    }),
  );
}

function cloned(strategy: Strategy, { name, replaceGroupId }: CloneInput): Strategy {
  const { parameters } = strategy;
  const isGrouped = replaceGroupId && 'groupId' in parameters;
  return {
    ...strategy,
    id: randomUUID(),
    featureName: name,
    parameters: isGrouped ? { ...parameters, groupId: name } : parameters,
  };
}

function contentEvents(feature: Feature): NewEvent[] {
  return [
    ...[...feature.environments].flatMap(([environment, { strategies, variants }]) => [
      ...(variants.length > 0 ? [featureVariantsUpdated(feature, environment, [])] : []),
      ...strategies.map((strategy) => featureStrategyAdded(feature, environment, strategy)),
    ]),
    ...feature.dependencies.map((dependency) => featureDependencyAdded(feature, dependency)),
  ];
}
