import type { FlagRequest } from '../../entity/effects.ts';
import type { Actor } from '../../events/actor.ts';
import { type PermittedCaller, requirePermission } from '../../identity/caller.ts';
import { buildLockCondition, loadLedger } from '../../projects/ledger.ts';
import { loadProject, type ProjectEnvironmentPath, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { changeFeatures, type FeatureUnit, toFeatureUnit } from '../change-features.ts';
import { environmentOfFeature, withFeatureEnvironment } from '../feature.ts';
import { featureSwitched } from '../feature-events.ts';
import { loadParts, loadRest } from '../feature-store.ts';
import { type FeatureHead, parseTags } from '../items/feature-items.ts';
import { buildHeadWrites } from '../items/own-write.ts';
import { requireLiveHead } from '../require-feature.ts';
import { loadDefaultStrategy } from '../strategies/default-strategy.ts';
import { decideSwitchOn } from './switch-feature.ts';

/**
 * Switches features off in an environment; about 30 of them fit into a transaction.
 * @throws ApiError 404 for an unknown project or environment, or for the first feature that is unknown, archived or of
 * another project; 400 for more writes than a request may have.
 */
export function disableFeatures(
  request: FlagRequest,
  actor: Actor,
  { projectId, environment }: ProjectEnvironmentPath,
  featureNames: readonly string[],
): Promise<void> {
  return changeFeatures(request, actor, featureNames, {
    read: async () => requireEnvironment(await loadProject(request, projectId), environment),
    require: (head, name) => requireLiveHead(head, name, projectId),
    select: (heads) => heads.filter((head) => isOn(head, environment)),
    ...planSwitchOffs(request, environment),
  });
}

/**
 * Switches features on in an environment, each as `enableFeature` does.
 * @throws ApiError 404 for an unknown project or environment, or for the first feature that is unknown, archived or of
 * another project; 403 if a strategy has to be added and the caller lacks the permission; 400 for more writes than a
 * request may have.
 */
export function enableFeatures(
  request: FlagRequest,
  caller: PermittedCaller,
  { projectId, environment }: ProjectEnvironmentPath,
  featureNames: readonly string[],
  activateDisabled: boolean,
): Promise<void> {
  return changeFeatures(request, caller, featureNames, {
    likelyEvents: 2,
    read: async () => {
      const [project, defaultStrategy] = await Promise.all([
        loadProject(request, projectId),
        loadDefaultStrategy(request, projectId, environment),
      ]);
      requireEnvironment(project, environment);
      const assertMayAdd = () => void requirePermission(caller, ['CREATE_FEATURE_STRATEGY'], projectId, environment);
      return { assertMayAdd, project, environment, defaultStrategy: defaultStrategy?.strategy, activateDisabled };
    },
    require: (head, name) => requireLiveHead(head, name, projectId),
    select: (heads) =>
      heads.filter((head) => !isOn(head, environment) || !hasNeededStrategies(head, environment, activateDisabled)),
    load: (head) => loadRest(request, head, [environment]),
    decide: (_head, stored, input, at) => {
      const { feature } = stored;
      const { state, events } = decideSwitchOn(feature, environmentOfFeature(feature, environment), { ...input, at });
      return toFeatureUnit(request, stored, { after: withFeatureEnvironment(feature, environment, state), events });
    },
  });
}

/**
 * Switches features off in an environment that was removed from their project. Features that are off, deleted or moved
 * do not change; if the project has the environment again, no feature changes.
 */
export function disableInRemovedEnvironment(
  request: FlagRequest,
  actor: Actor,
  { projectId, environment }: ProjectEnvironmentPath,
  featureNames: readonly string[],
): Promise<void> {
  const { load, decide } = planSwitchOffs(request, environment);
  return changeFeatures(request, actor, featureNames, {
    read: async () => (await loadLedger(request, projectId)).lockedEnvironments.has(environment),
    require: (head) => (head?.project === projectId && isOn(head, environment) ? head : undefined),
    select: (heads, isRemoved) => (isRemoved ? heads : []),
    load,
    decide: (head, parts) => {
      const { record, ...step } = decide(head, parts);
      return { ...step, record: (stamped) => [...record(stamped), buildLockCondition(projectId, environment)] };
    },
  });
}

/** Returns the parts of a bulk change that switch features off. */
function planSwitchOffs(request: Request, environment: string) {
  return {
    load: (head: FeatureHead) => loadParts(request, head, ['tags']),
    decide: (head: FeatureHead, parts: Awaited<ReturnType<typeof loadParts>>): FeatureUnit => ({
      events: [featureSwitched(head, environment, false)],
      flag: { schedules: head.own.schedules },
      record: (events) =>
        buildHeadWrites(
          request,
          head,
          { switched: { environment, enabled: false } },
          parseTags(head.own, parts.get('tags')),
          events,
        ),
    }),
  };
}

function isOn({ revision }: FeatureHead, environment: string): boolean {
  return revision.summaries.get(environment)?.enabled ?? false;
}

/** Tells whether switching a feature on would change neither its strategies nor its plan. */
function hasNeededStrategies({ revision }: FeatureHead, environment: string, activateDisabled: boolean): boolean {
  const { strategies = 0, enabledStrategies = 0, plan } = revision.summaries.get(environment) ?? {};
  if (plan !== undefined && plan.active === undefined) return false;
  return enabledStrategies > 0 && !(activateDisabled && enabledStrategies < strategies);
}
