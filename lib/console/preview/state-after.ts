import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { Effect } from '../words/requested-changes.ts';

/** The parts of a flag in an environment that decide who gets it. */
export interface FlagState {
  readonly enabled: boolean;
  readonly strategies: readonly StrategyView[];
}

/** Returns the state of a flag after the effects of a change request, in their order. */
export function stateAfter(before: FlagState, effects: readonly Effect[]): FlagState {
  return effects.reduce(applyEffect, before);
}

function applyEffect(state: FlagState, { type, data, preData }: Effect): FlagState {
  const { strategies } = state;
  switch (type) {
    case 'feature-environment-enabled':
      return { ...state, enabled: true };
    case 'feature-environment-disabled':
    case 'feature-archived':
      return { ...state, enabled: false };
    case 'feature-strategy-add':
      return { ...state, strategies: [...strategies, data as unknown as StrategyView] };
    case 'feature-strategy-update':
      return {
        ...state,
        strategies: strategies.map((each) => (each.id === data?.id ? ({ ...each, ...data } as StrategyView) : each)),
      };
    case 'feature-strategy-remove':
      return { ...state, strategies: strategies.filter(({ id }) => id !== preData?.id) };
    default:
      return state;
  }
}
