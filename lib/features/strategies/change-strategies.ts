import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type ErrorDetail, invalid, invalidRequest, requireValid } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Request } from '../../request.ts';
import { findDuplicates } from '../../values/lists.ts';
import {
  type ChangeOfState,
  type EnvironmentPath,
  type FoundState,
  inEnvironment,
} from '../environments/change-environment.ts';
import {
  featureStrategiesReordered,
  featureStrategyAdded,
  featureStrategyRemoved,
  featureStrategyUpdated,
  featureSwitched,
} from '../feature-events.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import { inOrder, nextSortOrder, requireStrategy, strategyContent, strategyViewOf } from './strategy.ts';
import { type StrategyInput, type StrategyUpdate, strategyInput } from './strategy-input-schema.ts';
import { assertReferences, loadStrategyReferences, type StrategyReferences } from './strategy-references.ts';
import { type Strategy, type StrategyOrder, strategiesMax } from './strategy-schema.ts';

/** One strategy of a feature in an environment. */
export interface StrategyPath extends EnvironmentPath {
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
function inStrategies<More, T>(
  request: Request,
  path: EnvironmentPath,
  { decide, ...reading }: ChangeOfStrategies<More, T>,
) {
  return inEnvironment<More, T>(request, path, {
    likelyEvents: 2,
    ...reading,
    decide: (found) => {
      const { feature, state } = found;
      const { strategies, event, value } = decide(found);
      const goesOff = state.enabled && hasEnabled(state.strategies) && !hasEnabled(strategies);
      const switched = goesOff ? [featureSwitched(feature, path.environment, false)] : [];
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

/**
 * Adds a strategy to a feature in an environment, at the given position or after all others, and results in it as stored.
 * @throws ApiError 404 for an unknown project, environment, feature or segment; 400 for an invalid strategy, and for
 * one too many.
 */
export function planAddStrategy(request: Request, path: EnvironmentPath, input: StrategyInput) {
  return inStrategies(request, path, {
    read: () => loadStrategyReferences(request, input),
    decide: ({ project, feature, state, facts: references }) => {
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
        event: featureStrategyAdded(feature, path.environment, value),
        value,
      };
    },
  });
}

/**
 * Changes the given properties of a strategy and results in it as stored; without an enabled one left, the feature is off
 * there.
 * @throws ApiError 404 for an unknown project, environment, feature, strategy or segment; 400 for an invalid strategy.
 */
export function planUpdateStrategy(request: Request, path: StrategyPath, update: StrategyUpdate) {
  return inStrategy(request, path, {
    read: () => loadStrategyReferences(request, update),
    inputOf: (strategy) => requireValid(strategyInput, { ...strategy, ...parametersOf(strategy, update), ...update }),
  });
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
 * @throws as `planUpdateStrategy` does, and what `inputOf` throws.
 */
export function inStrategy(request: Request, path: StrategyPath, { read, inputOf }: ChangeOfStrategy) {
  return inStrategies(request, path, {
    read,
    decide: ({ project, feature, state: { strategies }, facts: references }) => {
      const before = requireStrategy(strategies, path.strategyId);
      const input = inputOf(before);
      assertReferences(changesOf(before, input), references, project.id);
      const { defaultStickiness } = project;
      const content = strategyContent(input, { featureName: feature.name, defaultStickiness });
      const value = { id: before.id, ...content, sortOrder: input.sortOrder ?? before.sortOrder };
      return {
        strategies: strategies.map((strategy) => (strategy === before ? value : strategy)),
        event: isDeepStrictEqual(value, before)
          ? undefined
          : featureStrategyUpdated(feature, path.environment, before, value),
        value: strategyViewOf(value),
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

/**
 * Removes a strategy from a feature in an environment; without an enabled one left, the feature is off there.
 * @throws ApiError 404 for an unknown project, environment, feature or strategy.
 */
export function planRemoveStrategy(request: Request, path: StrategyPath) {
  return inStrategies(request, path, {
    decide: ({ feature, state }) => {
      const removed = requireStrategy(state.strategies, path.strategyId);
      return {
        strategies: state.strategies.filter((strategy) => strategy !== removed),
        event: featureStrategyRemoved(feature, path.environment, removed),
        value: undefined,
      };
    },
  });
}

/**
 * Puts the named strategies of a feature in an environment at other places; the others keep theirs.
 * @throws ApiError 404 for an unknown project, environment, feature or strategies; 400 for a strategy that is named twice.
 */
export function planOrderStrategies(request: Request, path: EnvironmentPath, order: StrategyOrder) {
  assertOnce(order);
  const wanted = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]));
  return inStrategies(request, path, {
    decide: ({ feature, state: { strategies } }) => {
      assertKnown(order, new Set(strategies.map(({ id }) => id)));
      const after = strategies.map((strategy) => ({
        ...strategy,
        sortOrder: wanted.get(strategy.id) ?? strategy.sortOrder,
      }));
      const moves = after.some(({ sortOrder }, index) => sortOrder !== strategies[index]?.sortOrder);
      return {
        strategies: after,
        event: moves
          ? featureStrategiesReordered(feature, path.environment, inOrder(strategies), inOrder(after))
          : undefined,
        value: undefined,
      };
    },
  });
}

function assertOnce(order: StrategyOrder): void {
  const problems = findDuplicates(order.map(({ id }) => id)).map((id): ErrorDetail => {
    const index = order.findLastIndex((each) => each.id === id);
    return { message: `The strategy "${id.slice(0, 100)}" is named more than once.`, path: `${index}.id` };
  });
  if (problems.length > 0) throw invalidRequest(problems);
}

function assertKnown(order: StrategyOrder, known: ReadonlySet<string>): void {
  const problems = order.flatMap(({ id }, index): ErrorDetail[] =>
    known.has(id) ? [] : [{ message: `There is no strategy "${id.slice(0, 100)}".`, path: `${index}.id` }],
  );
  if (problems.length > 0) throw new ApiError('NotFoundError', problems[0]?.message ?? '', problems);
}
