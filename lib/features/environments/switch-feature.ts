import { randomUUID } from 'node:crypto';
import type { FlagRequest } from '../../entity/effects.ts';
import { invalid } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import { type PermittedCaller, requirePermission } from '../../identity/caller.ts';
import type { Project } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeFeature } from '../change-feature.ts';
import type { Feature, FeatureEnvironment } from '../feature.ts';
import { featureStrategyAdded, featureStrategyUpdated, featureSwitched } from '../feature-events.ts';
import { loadDefaultStrategy } from '../strategies/default-strategy.ts';
import { defaultContent, nextSortOrder } from '../strategies/strategy.ts';
import type { StrategyInput } from '../strategies/strategy-input-schema.ts';
import { type Strategy, strategiesMax } from '../strategies/strategy-schema.ts';
import { type EnvironmentPath, inEnvironment } from './change-environment.ts';

/**
 * Switches a feature on in an environment. Without an enabled strategy it gets the default one of the project there, or,
 * if `activateDisabled`, its disabled ones are enabled.
 * @throws ApiError 404 for an unknown project, environment or feature, and for an archived one; 403 where a strategy has
 * to be added and the caller may not; 412 by `If-Match`.
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

/** The change of `enableFeature`. */
export function planSwitchOn(
  request: Request,
  path: EnvironmentPath,
  how: Pick<SwitchingOn, 'activateDisabled' | 'assertMayAdd'>,
) {
  const { projectId, environment } = path;
  return inEnvironment(request, path, {
    likelyEvents: 2,
    read: () => loadDefaultStrategy(request, projectId, environment),
    decide: ({ project, feature, state, facts }) => ({
      ...decideSwitchOn(feature, state, { ...how, project, environment, defaultStrategy: facts?.strategy }),
      value: undefined,
    }),
  });
}

/**
 * Switches a feature off in an environment; all else of it stays as it is.
 * @throws ApiError 404 for an unknown project, environment or feature, and for an archived one.
 */
export function planSwitchOff(request: Request, path: EnvironmentPath) {
  return inEnvironment(request, path, {
    decide: ({ feature, state }) => ({ ...decideSwitchOff(feature, path.environment, state), value: undefined }),
  });
}

/** New state and its events; none where nothing changes. */
export interface Switched {
  readonly state: FeatureEnvironment;
  readonly events: readonly NewEvent[];
}

/** Input of switching a feature on. */
export interface SwitchingOn {
  /** @throws ApiError 403 where a strategy has to be added and may not be. */
  readonly assertMayAdd: () => void;
  readonly project: Project;
  readonly environment: string;
  readonly defaultStrategy: StrategyInput | undefined;
  /**
   * True to enable all disabled strategies with the feature, or the ids of those to enable. A feature that has no enabled
   * strategy then gets the default one.
   */
  readonly activateDisabled: boolean | readonly string[];
}

/**
 * Switches a feature on in an environment, with at least one enabled strategy: without one it would be on for everybody
 * or for nobody, depending on the SDK.
 * @throws ApiError 403 where a strategy has to be added and the caller may not add one; 400 where there is no room for it.
 */
export function decideSwitchOn(feature: Feature, state: FeatureEnvironment, switching: SwitchingOn): Switched {
  const { environment } = switching;
  const { strategies, events } = withEnabledStrategy(feature, state.strategies, switching);
  if (state.enabled) return { state: { ...state, strategies }, events };
  return {
    state: { ...state, strategies, enabled: true },
    events: [...events, featureSwitched(feature, environment, true)],
  };
}

export function decideSwitchOff(feature: Feature, environment: string, state: FeatureEnvironment): Switched {
  if (!state.enabled) return { state, events: [] };
  return { state: { ...state, enabled: false }, events: [featureSwitched(feature, environment, false)] };
}

function withEnabledStrategy(
  feature: Feature,
  strategies: readonly Strategy[],
  { assertMayAdd, project, environment, defaultStrategy, activateDisabled }: SwitchingOn,
): { readonly strategies: readonly Strategy[]; readonly events: readonly NewEvent[] } {
  const disabled = strategies.filter((strategy) => strategy.disabled);
  const activated =
    typeof activateDisabled === 'boolean'
      ? disabled.filter(() => activateDisabled)
      : disabled.filter(({ id }) => activateDisabled.includes(id));
  if (activated.length > 0) {
    const enabled = new Map(activated.map((strategy) => [strategy, { ...strategy, disabled: false }]));
    return {
      strategies: strategies.map((strategy) => enabled.get(strategy) ?? strategy),
      events: [...enabled].map(([before, after]) => featureStrategyUpdated(feature, environment, before, after)),
    };
  }
  if (disabled.length < strategies.length) return { strategies, events: [] };

  assertMayAdd();
  if (strategies.length >= strategiesMax) {
    throw invalid(
      `The feature "${feature.name}" has ${strategiesMax} strategies in "${environment}", none of them enabled, and ` +
        'no room for a further one; enable one of them, or send shouldActivateDisabledStrategies=true.',
    );
  }
  const { defaultStickiness } = project;
  const added = {
    id: randomUUID(),
    ...defaultContent(defaultStrategy, { featureName: feature.name, defaultStickiness }),
    sortOrder: nextSortOrder(strategies),
  };
  return { strategies: [...strategies, added], events: [featureStrategyAdded(feature, environment, added)] };
}
