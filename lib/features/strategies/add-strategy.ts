import { randomUUID } from 'node:crypto';
import { invalid } from '../../errors.ts';
import type { Request } from '../../request.ts';
import type { FeaturePlace } from '../environments/change-environment.ts';
import { featureStrategyAdded } from '../feature-events.ts';
import { inStrategies } from './change-strategies.ts';
import { nextSortOrder, strategyContent } from './strategy.ts';
import { assertReferences, loadStrategyReferences } from './strategy-references.ts';
import { type StrategyInput, strategiesMax } from './strategy-schema.ts';

/**
 * Adds a strategy to a feature in an environment, at the given place or after all others, and results in it as stored.
 * @throws ApiError 404 for an unknown project, environment, feature or segment; 400 for an invalid strategy, and for
 * one too many.
 */
export function addingStrategy(request: Request, place: FeaturePlace, input: StrategyInput) {
  return inStrategies(request, place, {
    read: () => loadStrategyReferences(request, input),
    decide: ({ project, feature, state, more: references }) => {
      assertReferences(input, references, project.id);
      if (state.strategies.length >= strategiesMax) {
        throw invalid(`A feature has at most ${strategiesMax} strategies in an environment.`);
      }
      const { defaultStickiness } = project;
      const content = strategyContent(input, { featureName: feature.name, defaultStickiness });
      const sortOrder = input.sortOrder ?? nextSortOrder(state.strategies);
      const value = { id: randomUUID(), ...content, sortOrder };
      return {
        strategies: [...state.strategies, value],
        event: featureStrategyAdded(feature, place.environment, value),
        value,
      };
    },
  });
}
