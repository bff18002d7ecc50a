import { notFound } from '../../errors.ts';
import { type StrategyVariant, weightTotal } from '../environments/variant-schema.ts';
import type { StrategyInput } from './strategy-input-schema.ts';
import { gradualRollout, type Strategy, type StrategyContent, type StrategyView } from './strategy-schema.ts';

/** Defaults for fields that the input of a strategy omits. */
export interface StrategyDefaults {
  readonly featureName: string;
  readonly defaultStickiness: string;
}

/** A strategy for all users: the fallback if a project has no default strategy. */
const rolloutToAll: StrategyInput = { name: gradualRollout };

/** Builds the strategy for a feature that is switched on without an enabled one: the default strategy, or one for all. */
export function buildDefaultContent(
  defaultStrategy: StrategyInput | undefined,
  defaults: StrategyDefaults,
): StrategyContent {
  // A disabled copy would have no effect.
  return buildStrategyContent({ ...(defaultStrategy ?? rolloutToAll), disabled: false }, defaults);
}

/** Builds the content of a strategy from its input: with all fields, default parameters and final weights. */
export function buildStrategyContent(input: StrategyInput, defaults: StrategyDefaults): StrategyContent {
  return {
    name: input.name,
    title: input.title ?? null,
    disabled: input.disabled ?? false,
    featureName: defaults.featureName,
    segments: [...new Set(input.segments)],
    constraints: input.constraints ?? [],
    variants: withFinalWeights(input.variants ?? []),
    parameters:
      input.name === gradualRollout ? buildRolloutParameters(input.parameters, defaults) : (input.parameters ?? {}),
  };
}

function buildRolloutParameters(parameters: Record<string, string> = {}, defaults: StrategyDefaults) {
  return {
    ...parameters,
    rollout: parameters.rollout ?? '100',
    stickiness: parameters.stickiness || defaults.defaultStickiness,
    groupId: parameters.groupId || defaults.featureName,
  };
}

/**
 * Computes the weights of variants as Unleash does, with a sum of exactly 1000. Fixed weights stay. Variable weights share
 * the rest evenly; the first of them get one more each, as long as there is a remainder.
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

/** Returns a strategy without the name of its feature, as replies and events about the feature show it. */
export function strategyViewOf({ featureName: _featureName, ...strategy }: Strategy): StrategyView {
  return strategy;
}

/** Sorts strategies by position; those with the same position keep their order. */
export function sortByOrder<T extends { readonly sortOrder: number }>(strategies: readonly T[]): T[] {
  return strategies.toSorted((a, b) => a.sortOrder - b.sortOrder);
}

/** Returns the position after all others; 0 for the first strategy. */
export function nextSortOrder(strategies: readonly Pick<Strategy, 'sortOrder'>[]): number {
  const highest = strategies.reduce((max, { sortOrder }) => Math.max(max, sortOrder), -1);
  return Math.min(highest + 1, Number.MAX_SAFE_INTEGER);
}

/** Returns a text that is equal for strategies with equal content, in any order of their parameters. */
export function contentKeyOf({
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

/** @throws ApiError 404 if no strategy has the id. */
export function requireStrategy<T extends Pick<Strategy, 'id'>>(strategies: readonly T[], id: string): T {
  const strategy = strategies.find((candidate) => candidate.id === id);
  if (strategy === undefined) throw notFound('strategy', id);
  return strategy;
}
