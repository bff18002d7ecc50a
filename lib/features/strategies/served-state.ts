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
