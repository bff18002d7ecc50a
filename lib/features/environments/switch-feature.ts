import { randomUUID } from 'node:crypto';
import type { FlagRequest } from '../../entity/effects.ts';
import { invalid } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import { type PermittedCaller, requirePermission } from '../../identity/caller.ts';
import type { Project } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeFeature } from '../change-feature.ts';
import type { Feature } from '../feature.ts';
import { featureStrategyAdded, featureStrategyUpdated, featureSwitched } from '../feature-events.ts';
import { milestoneStarted } from '../plans/plan-events.ts';
import { startMilestone } from '../plans/release-plan.ts';
import { loadDefaultStrategy } from '../strategies/default-strategy.ts';
import { buildDefaultContent, nextSortOrder } from '../strategies/strategy.ts';
import type { StrategyInput } from '../strategies/strategy-input-schema.ts';
import { type Strategy, strategiesMax } from '../strategies/strategy-schema.ts';
import { type EnvironmentPath, planEnvironmentChange } from './change-environment.ts';
import type { FeatureEnvironment } from './feature-environment.ts';
import { listLiveStrategies } from './feature-environment.ts';

/**
 * Switches a feature on in an environment. With `activateDisabled` it enables the disabled strategies; a feature that
 * still has no enabled strategy gets the project's default strategy.
 * @throws ApiError 404 for an unknown project, environment or feature, or an archived one; 403 if a strategy has to be
 * added and the caller lacks the permission; 412 if `If-Match` does not match.
 */
export function enableFeature(
  request: FlagRequest,
  caller: PermittedCaller,
  path: EnvironmentPath,
  activateDisabled: boolean,
): Promise<Versioned<undefined>> {
  const assertMayAdd = () =>
    void requirePermission(caller, ['CREATE_FEATURE_STRATEGY'], path.projectId, path.environment);
  return changeFeature(request, caller, planSwitchOn(request, path, { activateDisabled, assertMayAdd }));
}

/** Plans the change that `enableFeature` makes. */
export function planSwitchOn(
  request: Request,
  path: EnvironmentPath,
  options: Pick<SwitchOnInput, 'activateDisabled' | 'assertMayAdd'>,
) {
  const { projectId, environment } = path;
  return planEnvironmentChange(request, path, {
    likelyEvents: 2,
    read: () => loadDefaultStrategy(request, projectId, environment),
    decide: ({ project, feature, state, facts }, at) => ({
      ...decideSwitchOn(feature, state, { ...options, project, environment, defaultStrategy: facts?.strategy, at }),
      value: undefined,
    }),
  });
}

/**
 * Plans to switch a feature off in an environment.
 * @throws ApiError 404 for an unknown project, environment or feature, or an archived one.
 */
export function planSwitchOff(request: Request, path: EnvironmentPath) {
  return planEnvironmentChange(request, path, {
    decide: ({ feature, state }) => ({ ...decideSwitchOff(feature, path.environment, state), value: undefined }),
  });
}

/** The new state and the events; no events if nothing changes. */
export interface SwitchDecision {
  readonly state: FeatureEnvironment;
  readonly events: readonly NewEvent[];
}

/** Input of the decision to switch a feature on. */
export interface SwitchOnInput {
  /** @throws ApiError 403 if the caller must not add a strategy; called only if one has to be added. */
  readonly assertMayAdd: () => void;
  readonly project: Project;
  readonly environment: string;
  readonly defaultStrategy: StrategyInput | undefined;
  /**
   * True to enable all disabled strategies, or the ids of those to enable. If no strategy is enabled then, the feature
   * gets the default strategy.
   */
  readonly activateDisabled: boolean | readonly string[];
  /** The time of the change, at which a new plan starts. */
  readonly at: string;
}

/**
 * Decides to switch a feature on in an environment, with at least one enabled strategy: without one, it would be on for
 * all users or for none, depending on the SDK. A plan that waited for this starts its first milestone.
 * @throws ApiError 403 if a strategy has to be added and the caller lacks the permission; 400 if the feature has the most
 * strategies already.
 */
export function decideSwitchOn(feature: Feature, state: FeatureEnvironment, input: SwitchOnInput): SwitchDecision {
  const { environment, at } = input;
  const started = startWaitingPlan(feature, environment, state, at);
  const { strategies, events } = ensureEnabledStrategy(feature, started.state, input);
  const switchEvents = state.enabled ? [] : [featureSwitched(feature, environment, true)];
  return {
    state: { ...started.state, strategies, enabled: true },
    events: [...events, ...started.events, ...switchEvents],
  };
}

/** Starts the first milestone of a plan that none has started of; no events if nothing changes. */
export function startWaitingPlan(
  feature: Feature,
  environment: string,
  state: FeatureEnvironment,
  at: string,
): SwitchDecision {
  const { plan } = state;
  const first = plan?.activeMilestoneId === undefined ? plan?.milestones[0] : undefined;
  if (plan === undefined || first === undefined) return { state, events: [] };
  return {
    state: { ...state, plan: startMilestone(plan, first.id, at) },
    events: [milestoneStarted(feature, environment, plan, { milestone: first, before: undefined })],
  };
}

/**
 * Switches a feature off if a change has left it without an enabled strategy: without one, it would be on for all users or for none,
 * depending on the SDK.
 */
export function switchOffWithoutStrategy(
  feature: Feature,
  environment: string,
  before: FeatureEnvironment,
  after: FeatureEnvironment,
): SwitchDecision {
  const isLost = hasEnabledStrategy(before) && !hasEnabledStrategy(after);
  return isLost ? decideSwitchOff(feature, environment, after) : { state: after, events: [] };
}

function hasEnabledStrategy(state: FeatureEnvironment): boolean {
  return listLiveStrategies(state).some(({ disabled }) => !disabled);
}

export function decideSwitchOff(feature: Feature, environment: string, state: FeatureEnvironment): SwitchDecision {
  if (!state.enabled) return { state, events: [] };
  return { state: { ...state, enabled: false }, events: [featureSwitched(feature, environment, false)] };
}

function ensureEnabledStrategy(
  feature: Feature,
  state: FeatureEnvironment,
  { assertMayAdd, project, environment, defaultStrategy, activateDisabled }: SwitchOnInput,
): { readonly strategies: readonly Strategy[]; readonly events: readonly NewEvent[] } {
  const { strategies } = state;
  const disabled = strategies.filter((strategy) => strategy.disabled);
  const toEnable =
    typeof activateDisabled === 'boolean'
      ? disabled.filter(() => activateDisabled)
      : disabled.filter(({ id }) => activateDisabled.includes(id));
  if (toEnable.length > 0) {
    const enabled = new Map(toEnable.map((strategy) => [strategy, { ...strategy, disabled: false }]));
    return {
      strategies: strategies.map((strategy) => enabled.get(strategy) ?? strategy),
      events: [...enabled].map(([before, after]) => featureStrategyUpdated(feature, environment, before, after)),
    };
  }
  if (hasEnabledStrategy(state)) return { strategies, events: [] };

  assertMayAdd();
  if (strategies.length >= strategiesMax) {
    throw invalid(
      `The feature "${feature.name}" has ${strategiesMax} strategies in "${environment}", which is the most, and all are ` +
        'disabled. Enable one of them, or send shouldActivateDisabledStrategies=true.',
    );
  }
  const { defaultStickiness } = project;
  const added = {
    id: randomUUID(),
    ...buildDefaultContent(defaultStrategy, { featureName: feature.name, defaultStickiness }),
    sortOrder: nextSortOrder(strategies),
  };
  return { strategies: [...strategies, added], events: [featureStrategyAdded(feature, environment, added)] };
}
