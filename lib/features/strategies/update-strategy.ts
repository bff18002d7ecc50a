import { isDeepStrictEqual } from 'node:util';
import { requireValid } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { featureStrategyUpdated } from '../feature-events.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import { inStrategies, requireStrategy, type StrategyPlace } from './change-strategies.ts';
import { strategyContent } from './strategy.ts';
import { assertReferences, loadStrategyReferences, type StrategyReferences } from './strategy-references.ts';
import { type Strategy, type StrategyInput, type StrategyUpdate, strategyInput } from './strategy-schema.ts';

/**
 * Changes the given properties of a strategy and results in it as stored; without an enabled one left, the feature is off
 * there.
 * @throws ApiError 404 for an unknown project, environment, feature, strategy or segment; 400 for an invalid strategy.
 */
export function updatingStrategy(request: Request, place: StrategyPlace, update: StrategyUpdate) {
  return inStrategy(request, place, {
    read: () => loadStrategyReferences(request, update),
    inputOf: (strategy) => requireValid(strategyInput, { ...strategy, ...parametersOf(strategy, update), ...update }),
  });
}

/**
 * Returns an update that empties the constraints and variants which it leaves out, as on Unleash: clients such as that of
 * Terraform leave out what is empty.
 */
export function emptyingLeftOut<T extends StrategyUpdate>(update: T): T {
  return { constraints: [], variants: [], ...update };
}

/** The parameters of another type would mean nothing to the new one. */
function parametersOf({ name }: Strategy, update: StrategyUpdate): Pick<StrategyUpdate, 'parameters'> {
  return update.name === undefined || update.name === name ? {} : { parameters: {} };
}

interface ChangeOfStrategy {
  readonly read: (stored: Promise<StoredFeature | undefined>) => Promise<StrategyReferences>;
  /** Returns the new strategy; pure. */
  readonly inputOf: (strategy: Strategy) => StrategyInput;
}

/**
 * Replaces a strategy of a live feature by one derived from it, and results in it as stored.
 * @throws as `updatingStrategy` does, and what `inputOf` throws.
 */
export function inStrategy(request: Request, place: StrategyPlace, { read, inputOf }: ChangeOfStrategy) {
  return inStrategies(request, place, {
    read,
    decide: ({ project, feature, state: { strategies }, more: references }) => {
      const before = requireStrategy(strategies, place.strategyId);
      const input = inputOf(before);
      assertReferences(changesOf(before, input), references, project.id);
      const { defaultStickiness } = project;
      const content = strategyContent(input, { featureName: feature.name, defaultStickiness });
      const value = { id: before.id, ...content, sortOrder: input.sortOrder ?? before.sortOrder };
      return {
        strategies: strategies.map((strategy) => (strategy === before ? value : strategy)),
        event: isDeepStrictEqual(value, before)
          ? undefined
          : featureStrategyUpdated(feature, place.environment, before, value),
        value,
      };
    },
  });
}

/**
 * Returns the changed fields of a strategy; unchanged ones are not checked again, since a legal value may have been
 * removed meanwhile.
 */
function changesOf(before: Strategy, input: StrategyInput): StrategyUpdate {
  const { name, constraints, segments } = input;
  return {
    ...(name !== before.name && { name }),
    ...(constraints !== undefined && !isDeepStrictEqual(constraints, before.constraints) && { constraints }),
    ...(segments !== undefined && !isDeepStrictEqual(segments, before.segments) && { segments }),
  };
}
