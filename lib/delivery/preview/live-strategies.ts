import type { StrategyView } from '../../features/strategies/strategy-schema.ts';

interface PlanState {
  readonly activeMilestoneId: string | null;
  readonly milestones: readonly { readonly id: string; readonly strategies: readonly StrategyView[] }[];
}

/** The parts of a flag in an environment that decide who gets it. */
export interface FlagState {
  readonly enabled: boolean;
  /** The strategies of the flag itself. */
  readonly strategies: readonly StrategyView[];
  /** One plan or none. */
  readonly releasePlans?: readonly PlanState[];
}

type StrategiesOfState = Pick<FlagState, 'strategies' | 'releasePlans'>;

/** Lists the strategies of the active milestone, then those of the flag itself: what SDKs get, in this order. */
export function listLive({ strategies, releasePlans = [] }: StrategiesOfState): readonly StrategyView[] {
  const active = releasePlans.flatMap(({ milestones, activeMilestoneId }) =>
    milestones.filter(({ id }) => id === activeMilestoneId),
  );
  return [...active.flatMap((milestone) => milestone.strategies), ...strategies];
}

/** Lists the strategies of a flag in an environment, with those of all milestones, active or not. */
export function listAll({ strategies, releasePlans = [] }: StrategiesOfState): readonly StrategyView[] {
  const milestones = releasePlans.flatMap((plan) => plan.milestones);
  return [...milestones.flatMap((milestone) => milestone.strategies), ...strategies];
}

/** Returns a state as SDKs get it, in which the live strategies are those of the flag itself. */
export function toServedState(state: FlagState): Pick<FlagState, 'enabled' | 'strategies'> {
  return { enabled: state.enabled, strategies: listLive(state) };
}
