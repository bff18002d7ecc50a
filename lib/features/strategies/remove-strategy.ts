import type { Request } from '../../request.ts';
import { featureStrategyRemoved } from '../feature-events.ts';
import { inStrategies, requireStrategy, type StrategyPlace } from './change-strategies.ts';

/**
 * Removes a strategy from a feature in an environment; without an enabled one left, the feature is off there.
 * @throws ApiError 404 for an unknown project, environment, feature or strategy.
 */
export function removingStrategy(request: Request, place: StrategyPlace) {
  return inStrategies(request, place, {
    read: async () => undefined,
    decide: ({ feature, state }) => {
      const removed = requireStrategy(state.strategies, place.strategyId);
      return {
        strategies: state.strategies.filter((strategy) => strategy !== removed),
        event: featureStrategyRemoved(feature, place.environment, removed),
        value: undefined,
      };
    },
  });
}
