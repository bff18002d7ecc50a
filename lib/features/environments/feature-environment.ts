import { findActiveMilestone, type ReleasePlan } from '../plans/release-plan.ts';
import type { Safeguard } from '../plans/safeguard-schema.ts';
import { sortByOrder } from '../strategies/strategy.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';
import type { FeatureVariant } from './variant-schema.ts';

/** The state of a feature in one environment. */
export interface FeatureEnvironment {
  readonly enabled: boolean;
  /** The strategies that belong to the feature itself. While a plan is active, those of its milestone come before them. */
  readonly strategies: readonly Strategy[];
  readonly variants: readonly FeatureVariant[];
  readonly plan?: ReleasePlan;
  /** The safeguards that can switch the feature off here; missing if there are none. */
  readonly safeguards?: readonly Safeguard[];
  /** The time at which the next milestone of the plan starts by itself, as it was read. */
  readonly nextAt?: string;
}

/** The state of a feature in an environment of its project without a stored state. */
export const emptyState: FeatureEnvironment = { enabled: false, strategies: [], variants: [] };

type Strategies = Pick<FeatureEnvironment, 'strategies' | 'plan'>;

/** Lists the strategies of the active milestone in their order, then those of the feature itself: what SDKs get, in this order. */
export function listLiveStrategies({ strategies, plan }: Strategies): readonly Strategy[] {
  const own = sortByOrder(strategies);
  return plan === undefined ? own : [...sortByOrder(findActiveMilestone(plan)?.strategies ?? []), ...own];
}

/** Lists the strategies of a feature in an environment, with those of all milestones, active or not. */
export function listAllStrategies({ strategies, plan }: Strategies): readonly Strategy[] {
  if (plan === undefined) return strategies;
  return [...plan.milestones.flatMap((milestone) => milestone.strategies), ...strategies];
}

/**
 * Returns a state in which the live strategies belong to the feature itself, without a plan. Copies of a feature or an
 * environment and exports get it, since they continue with what is live, and not with the plan.
 */
export function withoutPlan({ plan, ...state }: FeatureEnvironment): FeatureEnvironment {
  if (plan === undefined) return state;
  const strategies = listLiveStrategies({ ...state, plan }).map((strategy, sortOrder) => ({ ...strategy, sortOrder }));
  return { ...state, strategies };
}
