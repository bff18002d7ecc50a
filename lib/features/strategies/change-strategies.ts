import { notFound } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Request } from '../../request.ts';
import {
  type ChangeOfState,
  type FeaturePlace,
  type FoundState,
  inEnvironment,
} from '../environments/change-environment.ts';
import { featureSwitched } from '../feature-events.ts';
import type { Strategy } from './strategy-schema.ts';

/** One strategy of a feature in an environment. */
export interface StrategyPlace extends FeaturePlace {
  readonly strategyId: string;
}

interface StrategiesDecision<T> {
  readonly strategies: readonly Strategy[];
  /** Event of the change; undefined where nothing changes. */
  readonly event: NewEvent | undefined;
  readonly value: T;
}

interface ChangeOfStrategies<More, T> extends Pick<ChangeOfState<More, T>, 'read'> {
  /** Pure. */
  readonly decide: (found: FoundState<More>) => StrategiesDecision<T>;
}

/**
 * Change of a live feature, for `changeFeature`, that is about its strategies in an environment. The last one that is
 * enabled takes the feature with it: enabled without a strategy, it would be on for everybody or for nobody, depending on
 * the SDK.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
export function inStrategies<More, T>(
  request: Request,
  place: FeaturePlace,
  { read, decide }: ChangeOfStrategies<More, T>,
) {
  return inEnvironment<More, T>(request, place, {
    likelyEvents: 2,
    read,
    decide: (found) => {
      const { feature, state } = found;
      const { strategies, event, value } = decide(found);
      const goesOff = state.enabled && hasEnabled(state.strategies) && !hasEnabled(strategies);
      const switched = goesOff ? [featureSwitched(feature, place.environment, false)] : [];
      return {
        state: { ...state, strategies, enabled: state.enabled && !goesOff },
        events: event === undefined ? [] : [event, ...switched],
        value,
      };
    },
  });
}

function hasEnabled(strategies: readonly Strategy[]): boolean {
  return strategies.some(({ disabled }) => !disabled);
}

/** @throws ApiError 404 where none of the strategies has the id. */
export function requireStrategy(strategies: readonly Strategy[], id: string): Strategy {
  const strategy = strategies.find((each) => each.id === id);
  if (strategy === undefined) throw notFound('strategy', id);
  return strategy;
}
