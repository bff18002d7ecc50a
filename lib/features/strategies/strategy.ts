import { notFound } from '../../errors.ts';
import { type StrategyVariant, weightTotal } from '../environments/variant-schema.ts';
import type { StrategyInput } from './strategy-input-schema.ts';
import { gradualRollout, type Strategy, type StrategyContent, type StrategyView } from './strategy-schema.ts';

/** Defaults of the project for fields that a strategy leaves out. */
export interface StrategyDefaults {
  readonly featureName: string;
  readonly defaultStickiness: string;
}

/** Strategy for everybody: the fallback for a feature that is switched on without one. */
const rolloutToAll: StrategyInput = { name: gradualRollout };

/**
 * Returns the strategy added to a feature that is switched on without an enabled one: the default strategy, or one for
 * everybody.
 */
export function defaultContent(
  defaultStrategy: StrategyInput | undefined,
  defaults: StrategyDefaults,
): StrategyContent {
  // A copy that were disabled would leave the feature as it was.
  return strategyContent({ ...(defaultStrategy ?? rolloutToAll), disabled: false }, defaults);
}

/**
 * Returns the content of a strategy that is made from an input: with all fields, default parameters and final weights.
 */
export function strategyContent(input: StrategyInput, defaults: StrategyDefaults): StrategyContent {
  return {
    name: input.name,
    title: input.title ?? null,
    disabled: input.disabled ?? false,
    featureName: defaults.featureName,
    segments: [...new Set(input.segments)],
    constraints: input.constraints ?? [],
    variants: withFinalWeights(input.variants ?? []),
    parameters:
      input.name === gradualRollout ? rolloutParameters(input.parameters, defaults) : (input.parameters ?? {}),
  };
}

function rolloutParameters(parameters: Record<string, string> = {}, defaults: StrategyDefaults) {
  return {
    ...parameters,
    rollout: parameters.rollout ?? '100',
    stickiness: parameters.stickiness || defaults.defaultStickiness,
    groupId: parameters.groupId || defaults.featureName,
  };
}

/**
 * Fixed weights stay; the variable ones share what is left evenly, and what cannot be shared goes to the first of them,
 * one each. So they add up to 1000 exactly, as Unleash has them.
 */
export function withFinalWeights<T extends Pick<StrategyVariant, 'weight' | 'weightType'>>(
  variants: readonly T[],
): T[] {
  const fixed = variants.filter(({ weightType }) => weightType === 'fix');
  const variableCount = variants.length - fixed.length;
  const rest = weightTotal - fixed.reduce((sum, { weight }) => sum + weight, 0);
  const share = Math.floor(rest / variableCount);
  let remainder = rest % variableCount;
  return variants.map((variant) => {
    if (variant.weightType === 'fix') return variant;
    remainder -= 1;
    return { ...variant, weight: remainder >= 0 ? share + 1 : share };
  });
}

/** Returns a strategy without the name of its feature, as replies and events about that feature show it. */
export function strategyViewOf({ featureName: _featureName, ...strategy }: Strategy): StrategyView {
  return strategy;
}

/** The strategies in their order; of several in one place, the one that came first. */
export function inOrder<T extends { readonly sortOrder: number }>(strategies: readonly T[]): T[] {
  return strategies.toSorted((a, b) => a.sortOrder - b.sortOrder);
}

/** Returns the place after all others, from 0 on. */
export function nextSortOrder(strategies: readonly Pick<Strategy, 'sortOrder'>[]): number {
  const highest = strategies.reduce((max, { sortOrder }) => Math.max(max, sortOrder), -1);
  return Math.min(highest + 1, Number.MAX_SAFE_INTEGER);
}

/** Returns a text that is equal for strategies that do the same: their content, with keys in a fixed order. */
export function contentKey({
  name,
  title,
  disabled,
  segments,
  constraints,
  variants,
  parameters,
}: StrategyContent): string {
  const sorted = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([name, title, disabled, segments, constraints, variants, sorted]);
}

/** @throws ApiError 404 where none of the strategies has the id. */
export function requireStrategy(strategies: readonly Strategy[], id: string): Strategy {
  const strategy = strategies.find((each) => each.id === id);
  if (strategy === undefined) throw notFound('strategy', id);
  return strategy;
}
