import type { StrategyView } from './strategy-schema.ts';

/** The parts of a strategy that decide whom it serves. */
interface StrategyRule extends Pick<StrategyView, 'name' | 'parameters'> {
  readonly constraints: readonly unknown[];
  readonly segments: readonly unknown[];
  readonly disabled?: boolean | null | undefined;
}

/** Tells whether a strategy serves all users: it is enabled, has no conditions, and is rolled out to 100%. */
export function servesEverybody({ name, parameters, constraints, segments, disabled }: StrategyRule): boolean {
  if (disabled || constraints.length + segments.length > 0) return false;
  return name === 'default' || (name === 'flexibleRollout' && Number(parameters.rollout) === 100);
}
