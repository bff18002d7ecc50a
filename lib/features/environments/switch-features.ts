import type { FlagRequest } from '../../entity/effects.ts';
import type { Actor } from '../../events/actor.ts';
import { type PermittedCaller, requirePermission } from '../../identity/caller.ts';
import { buildLockCondition, loadLedger } from '../../projects/ledger.ts';
import { loadProject, type ProjectEnvironmentPlace, requireEnvironment } from '../../projects/projects.ts';
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
 * Switches features off in an environment; some 30 of them make one transaction.
 * @throws ApiError 404 for an unknown project or environment, and for the first feature that is unknown, archived or of
 * another project; 400 for more than one request may write.
 */
export function disableFeatures(
  request: FlagRequest,
  actor: Actor,
  { projectId, environment }: ProjectEnvironmentPlace,
  featureNames: readonly string[],
): Promise<void> {
  return changeFeatures(request, actor, featureNames, {
    read: async () => requireEnvironment(await loadProject(request, projectId), environment),
    require: (head, name) => requireLiveHead(head, name, projectId),
    select: (heads) => heads.filter((head) => isOn(head, environment)),
    ...switchingOff(request, environment),
  });
}

/**
 * Switches features on in an environment, each as `enableFeature` does.
 * @throws ApiError 404 for an unknown project or environment, and for the first feature that is unknown, archived or of
 * another project; 403 where a strategy has to be added and the caller may not; 400 for more than one request may
 * write.
 */
export function enableFeatures(
  request: FlagRequest,
  caller: PermittedCaller,
  { projectId, environment }: ProjectEnvironmentPlace,
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
      heads.filter((head) => !isOn(head, environment) || !isServed(head, environment, activateDisabled)),
    load: (head) => loadRest(request, head, [environment]),
    decide: (_head, stored, switching) => {
      const { feature } = stored;
      const { state, events } = decideSwitchOn(feature, environmentOfFeature(feature, environment), switching);
      return toFeatureUnit(request, stored, { after: withFeatureEnvironment(feature, environment, state), events });
    },
  });
}

/**
 * Switches features off in an environment that their project no longer has. Those that are off, deleted or moved stay
 * as they are, and so do all of them if the project has the environment again.
 */
export function leaveEnvironment(
  request: FlagRequest,
  actor: Actor,
  { projectId, environment }: ProjectEnvironmentPlace,
  featureNames: readonly string[],
): Promise<void> {
  const { load, decide } = switchingOff(request, environment);
  return changeFeatures(request, actor, featureNames, {
    read: async () => (await loadLedger(request, projectId)).lockedEnvironments.has(environment),
    require: (head) => (head?.project === projectId && isOn(head, environment) ? head : undefined),
    select: (heads, isClosed) => (isClosed ? heads : []),
    load,
    decide: (head, parts) => {
      const { record, ...step } = decide(head, parts);
      return { ...step, record: (stamped) => [...record(stamped), buildLockCondition(projectId, environment)] };
    },
  });
}

/** Describes the change that switches many features off. */
function switchingOff(request: Request, environment: string) {
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

/** Tells whether a feature that is on already has the strategies that switching it on would leave it with. */
function isServed({ revision }: FeatureHead, environment: string, activateDisabled: boolean): boolean {
  const { strategies = 0, enabledStrategies = 0 } = revision.summaries.get(environment) ?? {};
  return enabledStrategies > 0 && !(activateDisabled && enabledStrategies < strategies);
}
