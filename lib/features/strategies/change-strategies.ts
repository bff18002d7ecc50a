import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type ErrorDetail, invalid, invalidRequest, requireValid } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import type { Project } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { findDuplicates } from '../../values/lists.ts';
import {
  type EnvironmentChangePlan,
  type EnvironmentPath,
  type EnvironmentState,
  planEnvironmentChange,
} from '../environments/change-environment.ts';
import { switchOffWithoutStrategy } from '../environments/switch-feature.ts';
import {
  featureStrategiesRemoved,
  featureStrategiesReordered,
  featureStrategyAdded,
  featureStrategyUpdated,
} from '../feature-events.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import { buildStrategyContent, nextSortOrder, requireStrategy, strategyViewOf } from './strategy.ts';
import { type StrategyInput, type StrategyUpdate, strategyInput } from './strategy-input-schema.ts';
import { assertReferences, loadStrategyReferences, type StrategyReferences } from './strategy-references.ts';
import { type Strategy, type StrategyOrder, strategiesMax } from './strategy-schema.ts';

/** The path of a strategy of a feature in an environment. */
export interface StrategyPath extends EnvironmentPath {
  readonly strategyId: string;
}

interface StrategiesDecision<T> {
  readonly strategies: readonly Strategy[];
  /** The event of the change; undefined if nothing changes. */
  readonly event: NewEvent | undefined;
  readonly value: T;
}

interface StrategiesChangePlan<Facts, T> extends Pick<EnvironmentChangePlan<Facts, T>, 'read'> {
  /** Pure. */
  readonly decide: (current: EnvironmentState<Facts>) => StrategiesDecision<T>;
}

/**
 * Plans a change of a live feature's strategies in an environment. If the change leaves no enabled strategy, it also
 * switches the feature off: without one, the feature would be on for all users or for none, depending on the SDK.
 * @throws ApiError 404 for an unknown project, environment or feature; what `read` and `decide` throw.
 */
function planStrategiesChange<Facts, T>(
  request: Request,
  path: EnvironmentPath,
  { decide, ...reading }: StrategiesChangePlan<Facts, T>,
) {
  return planEnvironmentChange<Facts, T>(request, path, {
    likelyEvents: 2,
    ...reading,
    decide: (current) => {
      const { feature, state } = current;
      const { strategies, event, value } = decide(current);
      const switched = switchOffWithoutStrategy(feature, path.environment, state, { ...state, strategies });
      return { state: switched.state, events: event === undefined ? [] : [event, ...switched.events], value };
    },
  });
}

/**
 * Plans to add a strategy to a feature in an environment, at the given position or after all others. The result is the
 * strategy as stored.
 * @throws ApiError 404 for an unknown project, environment, feature or segment; 400 for an invalid strategy or too many.
 */
export function planAddStrategy(request: Request, path: EnvironmentPath, input: StrategyInput) {
  return planStrategiesChange(request, path, {
    read: () => loadStrategyReferences(request, input),
    decide: ({ project, feature, state, facts: references }) => {
      assertReferences(input, references, project.id);
      if (state.strategies.length >= strategiesMax) {
        throw invalid(`A feature has at most ${strategiesMax} strategies in an environment.`);
      }
      const { defaultStickiness } = project;
      const content = buildStrategyContent(input, { featureName: feature.name, defaultStickiness });
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
 * Plans to change the given properties of a strategy. The result is the strategy as stored.
 * @throws ApiError 404 for an unknown project, environment, feature, strategy or segment; 400 for an invalid strategy.
 */
export function planUpdateStrategy(request: Request, path: StrategyPath, update: StrategyUpdate) {
  return planStrategyChange(request, path, {
    read: () => loadStrategyReferences(request, update),
    inputOf: (strategy) => mergeStrategy(strategy, update),
  });
}

/** Returns a strategy with the given properties changed. @throws ApiError 400 for an invalid result. */
export function mergeStrategy(strategy: Strategy, update: StrategyUpdate): StrategyInput {
  return requireValid(strategyInput, { ...strategy, ...dropForeignParameters(strategy, update), ...update });
}

/** Drops the parameters if the type changes: they have no meaning for the new type. */
function dropForeignParameters({ name }: Strategy, update: StrategyUpdate): Pick<StrategyUpdate, 'parameters'> {
  return update.name === undefined || update.name === name ? {} : { parameters: {} };
}

interface StrategyChangePlan {
  readonly read: (stored: Promise<StoredFeature | undefined>) => Promise<StrategyReferences>;
  /** Returns the new strategy. Pure. */
  readonly inputOf: (strategy: Strategy) => StrategyInput;
}

/**
 * Plans to replace a strategy of a live feature by one derived from it. The result is the strategy as stored.
 * @throws ApiError as `planUpdateStrategy` does, and what `inputOf` throws.
 */
export function planStrategyChange(request: Request, path: StrategyPath, { read, inputOf }: StrategyChangePlan) {
  return planStrategiesChange(request, path, {
    read,
    decide: ({ project, feature, state: { strategies }, facts: references }) => {
      const before = requireStrategy(strategies, path.strategyId);
      const value = reviseStrategy(project, before, inputOf(before), references);
      return {
        strategies: strategies.map((strategy) => (strategy === before ? value : strategy)),
        event: isDeepStrictEqual(value, before)
          ? undefined
          : featureStrategyUpdated(feature, path.environment, before, value, strategies),
        value: strategyViewOf(value),
      };
    },
  });
}

/**
 * Returns a strategy with new content.
 * @throws ApiError 400 or 404 with all things that do not exist to which the changed fields refer.
 */
export function reviseStrategy(
  { id: project, defaultStickiness }: Project,
  before: Strategy,
  input: StrategyInput,
  references: StrategyReferences,
): Strategy {
  assertReferences(changesOf(before, input), references, project);
  const content = buildStrategyContent(input, { featureName: before.featureName, defaultStickiness });
  return { id: before.id, ...content, sortOrder: input.sortOrder ?? before.sortOrder };
}

/** Returns the changed fields of a strategy. Unchanged fields are not checked again: their values may be illegal by now. */
function changesOf(before: Strategy, input: StrategyInput): StrategyUpdate {
  const { name, constraints, segments } = input;
  return {
    ...(name !== before.name && { name }),
    ...(constraints !== undefined && !isDeepStrictEqual(constraints, before.constraints) && { constraints }),
    ...(segments !== undefined && !isDeepStrictEqual(segments, before.segments) && { segments }),
  };
}

/**
 * Plans to remove a strategy from a feature in an environment.
 * @throws ApiError 404 for an unknown project, environment, feature or strategy.
 */
export function planRemoveStrategy(request: Request, path: StrategyPath) {
  return planStrategiesChange(request, path, {
    decide: ({ feature, state }) => {
      const removed = requireStrategy(state.strategies, path.strategyId);
      return {
        strategies: state.strategies.filter((strategy) => strategy !== removed),
        event: featureStrategiesRemoved(feature, path.environment, state.strategies, [removed])[0],
        value: undefined,
      };
    },
  });
}

/**
 * Plans to move the given strategies of a feature in an environment to other positions.
 * @throws ApiError 404 for an unknown project, environment or feature, and with all unknown strategies; 400 for a
 * strategy that is named twice.
 */
export function planOrderStrategies(request: Request, path: EnvironmentPath, order: StrategyOrder) {
  assertDistinct(order);
  const positions = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]));
  return planStrategiesChange(request, path, {
    decide: ({ feature, state: { strategies } }) => {
      assertExist(order, new Set(strategies.map(({ id }) => id)));
      const after = strategies.map((strategy) => ({
        ...strategy,
        sortOrder: positions.get(strategy.id) ?? strategy.sortOrder,
      }));
      const isMoved = after.some(({ sortOrder }, index) => sortOrder !== strategies[index]?.sortOrder);
      return {
        strategies: after,
        event: isMoved ? featureStrategiesReordered(feature, path.environment, strategies, after) : undefined,
        value: undefined,
      };
    },
  });
}

function assertDistinct(order: StrategyOrder): void {
  const problems = findDuplicates(order.map(({ id }) => id)).map((id): ErrorDetail => {
    const index = order.findLastIndex((position) => position.id === id);
    return { message: `The strategy "${id.slice(0, 100)}" is named more than once.`, path: `${index}.id` };
  });
  if (problems.length > 0) throw invalidRequest(problems);
}

function assertExist(order: StrategyOrder, ids: ReadonlySet<string>): void {
  const problems = order.flatMap(({ id }, index): ErrorDetail[] =>
    ids.has(id) ? [] : [{ message: `There is no strategy "${id.slice(0, 100)}".`, path: `${index}.id` }],
  );
  if (problems.length > 0) throw new ApiError('NotFoundError', problems[0]?.message ?? '', problems);
}
