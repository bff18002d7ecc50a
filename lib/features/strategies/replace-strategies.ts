import { randomUUID } from 'node:crypto';
import { contentKey, inOrder } from './strategy.ts';
import type { Strategy, StrategyContent } from './strategy-schema.ts';

/** Strategy to be stored, with its new position. */
export interface WantedStrategy {
  readonly content: StrategyContent;
  readonly sortOrder: number;
}

export interface Replacement {
  /** New strategies, in the order of the request. */
  readonly strategies: readonly Strategy[];
  /** Removed strategies in the order of their places, as are the added ones. */
  readonly removed: readonly Strategy[];
  readonly added: readonly Strategy[];
  /** True if a strategy that was kept has another position. */
  readonly moved: boolean;
}

/**
 * Makes the strategies what is wanted. Those of the same content stay the same strategies, under their ids; of several
 * alike the first in place stays the first.
 */
export function replaceStrategies(existing: readonly Strategy[], wanted: readonly WantedStrategy[]): Replacement {
  const before = inOrder(existing);
  const left = Map.groupBy(before, contentKey);
  const added: Strategy[] = [];
  let moved = false;
  const made = new Map(
    inOrder(wanted).map((each) => {
      const { content, sortOrder } = each;
      const same = left.get(contentKey(content))?.shift();
      const strategy = { id: same?.id ?? randomUUID(), ...content, sortOrder };
      if (same === undefined) added.push(strategy);
      else moved ||= same.sortOrder !== sortOrder;
      return [each, strategy];
    }),
  );
  const strategies = wanted.flatMap((each) => made.get(each) ?? []);
  const gone = new Set([...left.values()].flat());
  return { strategies, removed: before.filter((each) => gone.has(each)), added, moved };
}
