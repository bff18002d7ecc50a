import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { Draft } from './draft.ts';

/** The id that stands for a strategy that does not exist yet. */
export const newStrategyId = 'new';

/**
 * Returns a flag with a draft in place of the strategy that it edits, or as one more. The flag is on in the environment: a draft
 * of a flag that is off says what it would do.
 * @param segments all segments, since the draft may use one that the flag does not use yet.
 */
export function withDraft(
  flag: ConsoleFlag,
  environment: string,
  strategyId: string | undefined,
  draft: Draft,
  segments: readonly ConsoleFlag['segments'][number][],
): ConsoleFlag {
  const content = draft as Pick<StrategyView, keyof Draft>;
  const put = (strategies: readonly StrategyView[]): StrategyView[] =>
    strategyId === undefined
      ? [...strategies, { ...content, id: newStrategyId, sortOrder: strategies.length }]
      : strategies.map((strategy) => (strategy.id === strategyId ? { ...strategy, ...content } : strategy));
  const environments = flag.feature.environments.map((each) =>
    each.name === environment ? { ...each, enabled: true, strategies: put(each.strategies) } : each,
  );
  return { ...flag, segments: [...segments, ...flag.segments], feature: { ...flag.feature, environments } };
}
