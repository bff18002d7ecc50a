import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { contentKeyOf, sortByOrder } from './strategy.ts';
import type { Strategy, StrategyContent } from './strategy-schema.ts';

/** A strategy to store, with its new position. */
export interface WantedStrategy {
  readonly content: StrategyContent;
  readonly sortOrder: number;
}

export interface Replacement {
  /** The new strategies, in the order of the request. */
  readonly strategies: readonly Strategy[];
  /** The removed strategies, by position. */
  readonly removed: readonly Strategy[];
  /** The added strategies, by position. */
  readonly added: readonly Strategy[];
  /** True if a kept strategy has another position, or comes before another one than before. */
  readonly moved: boolean;
}

/**
 * Replaces strategies by wanted ones. A strategy with the same content keeps its id; several with the same content keep
 * their ids in the order of their positions.
 */
export function replaceStrategies(existing: readonly Strategy[], wanted: readonly WantedStrategy[]): Replacement {
  const before = sortByOrder(existing);
  const unmatched = Map.groupBy(before, contentKeyOf);
  const added: Strategy[] = [];
  let moved = false;
  const replacements = new Map(
    sortByOrder(wanted).map((target) => {
      const { content, sortOrder } = target;
      const same = unmatched.get(contentKeyOf(content))?.shift();
      const strategy = { id: same?.id ?? randomUUID(), ...content, sortOrder };
      if (same === undefined) added.push(strategy);
      else moved ||= same.sortOrder !== sortOrder;
      return [target, strategy];
    }),
  );
  const strategies = wanted.flatMap((target) => replacements.get(target) ?? []);
  const removed = new Set([...unmatched.values()].flat());
  const keptIds = before.flatMap((strategy) => (removed.has(strategy) ? [] : [strategy.id]));
  const kept = new Set(keptIds);
  // Strategies with the same position are in the order of the list.
  const order = sortByOrder(strategies).flatMap(({ id }) => (kept.has(id) ? [id] : []));
  moved ||= !isDeepStrictEqual(order, keptIds);
  return { strategies, removed: before.filter((strategy) => removed.has(strategy)), added, moved };
}
