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

/** The numbers of strategies that SDKs get in an environment. */
interface ServedState {
  readonly enabled: boolean;
  /** The live strategies, disabled ones included. */
  readonly strategies: number;
  readonly enabledStrategies: number;
}

/**
 * Tells whether SDKs get a feature as switched on. They evaluate one without strategies as on for everybody, so a feature with disabled
 * strategies only must be off for them.
 */
export function isOnForSdks({ enabled, strategies, enabledStrategies }: ServedState): boolean {
  return enabled && (strategies === 0 || enabledStrategies > 0);
}
