import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { FlagState } from './live-strategies.ts';

/** An effect of a change request, in the form of the event that it makes. */
interface FlagEffect {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly preData: Readonly<Record<string, unknown>> | null;
}

/** Returns the state of a flag after the effects of a change request, in their order. */
export function stateAfter(before: FlagState, effects: readonly FlagEffect[]): FlagState {
  return effects.reduce(applyEffect, before);
}

function applyEffect(state: FlagState, { type, data, preData }: FlagEffect): FlagState {
  const { strategies, releasePlans = [] } = state;
  switch (type) {
    case 'feature-environment-enabled':
      return { ...state, enabled: true };
    case 'feature-environment-disabled':
    case 'feature-archived':
      return { ...state, enabled: false };
    case 'feature-strategy-add':
      return { ...state, strategies: [...strategies, data as unknown as StrategyView] };
    case 'feature-strategy-update': {
      const update = (all: readonly StrategyView[]) =>
        all.map((each) => (each.id === data?.id ? ({ ...each, ...data } as StrategyView) : each));
      return {
        ...state,
        strategies: update(strategies),
        releasePlans: releasePlans.map((plan) => withUpdate(plan, update)),
      };
    }
    case 'feature-strategy-remove':
      return { ...state, strategies: strategies.filter(({ id }) => id !== preData?.id) };
    case 'release-plan-added':
      return { ...state, releasePlans: [data as unknown as PlanState] };
    case 'release-plan-removed':
      return { ...state, releasePlans: [] };
    case 'release-plan-milestone-started': {
      const activeMilestoneId = String(data?.milestoneId);
      return { ...state, releasePlans: releasePlans.map((plan) => ({ ...plan, activeMilestoneId })) };
    }
    default:
      return state;
  }
}

type PlanState = NonNullable<FlagState['releasePlans']>[number];

function withUpdate(plan: PlanState, update: (all: readonly StrategyView[]) => StrategyView[]): PlanState {
  const milestones = plan.milestones.map((each) => ({ ...each, strategies: update(each.strategies) }));
  return { ...plan, milestones };
}
