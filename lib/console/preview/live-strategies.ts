import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { StrategyView } from '../../features/strategies/strategy-schema.ts';

type State = Pick<FeatureEnvironmentView, 'strategies' | 'releasePlans'>;

/** Lists the strategies of the active milestone, then those of the flag itself: what SDKs get, in this order. */
export function listLive({ strategies, releasePlans }: State): readonly StrategyView[] {
  const active = releasePlans.flatMap(({ milestones, activeMilestoneId }) =>
    milestones.filter(({ id }) => id === activeMilestoneId),
  );
  return [...active.flatMap((milestone) => milestone.strategies), ...strategies];
}

/** Lists the strategies of a flag in an environment, with those of all milestones, active or not. */
export function listAll({ strategies, releasePlans }: State): readonly StrategyView[] {
  const milestones = releasePlans.flatMap((plan) => plan.milestones);
  return [...milestones.flatMap((milestone) => milestone.strategies), ...strategies];
}
