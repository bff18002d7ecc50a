import { ApiError, type ErrorDetail, invalidRequest } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { duplicates } from '../../values/duplicates.ts';
import type { FeaturePlace } from '../environments/change-environment.ts';
import { featureStrategiesReordered } from '../feature-events.ts';
import { inStrategies } from './change-strategies.ts';
import { inOrder } from './strategy.ts';
import type { StrategyOrder } from './strategy-schema.ts';

/**
 * Puts the named strategies of a feature in an environment at other places; the others keep theirs.
 * @throws ApiError 404 for an unknown project, environment, feature or strategies; 400 for a strategy that is named twice.
 */
export function orderingStrategies(request: Request, place: FeaturePlace, order: StrategyOrder) {
  assertOnce(order);
  const wanted = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]));
  return inStrategies(request, place, {
    read: async () => undefined,
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
          ? featureStrategiesReordered(feature, place.environment, inOrder(strategies), inOrder(after))
          : undefined,
        value: undefined,
      };
    },
  });
}

function assertOnce(order: StrategyOrder): void {
  const problems = duplicates(order.map(({ id }) => id)).map((id): ErrorDetail => {
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
