import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { Draft } from './draft.ts';

/** The id that stands for a strategy that does not exist yet. */
export const newStrategyId = 'new';

/**
 * Returns a flag with a draft in place of the strategy that it edits, or as one more. The flag is on in the environment, and the
 * milestone of the strategy is active: a draft of a flag that is off, or of another milestone, says what it would do.
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
  const put = <T extends StrategyView>(strategies: readonly T[]) =>
    strategies.map((strategy): T => (strategy.id === strategyId ? { ...strategy, ...content } : strategy));
  const add = (strategies: readonly StrategyView[]): StrategyView[] =>
    strategyId === undefined
      ? [...strategies, { ...content, id: newStrategyId, sortOrder: strategies.length }]
      : put(strategies);
  const environments = flag.feature.environments.map((each): FeatureEnvironmentView => {
    if (each.name !== environment) return each;
    const milestone = findMilestone(each, strategyId);
    const releasePlans = each.releasePlans.map((plan) => ({
      ...plan,
      ...(milestone && { activeMilestoneId: milestone.id }),
      milestones: plan.milestones.map((each) => ({ ...each, strategies: put(each.strategies) })),
    }));
    return { ...each, enabled: true, strategies: add(each.strategies), releasePlans };
  });
  return { ...flag, segments: [...segments, ...flag.segments], feature: { ...flag.feature, environments } };
}

/** Finds the milestone that has a strategy; undefined for a strategy of the flag itself. */
export function findMilestone({ releasePlans }: Pick<FeatureEnvironmentView, 'releasePlans'>, strategyId?: string) {
  const milestones = releasePlans.flatMap((plan) => plan.milestones);
  return milestones.find(({ strategies }) => strategies.some(({ id }) => id === strategyId));
}
