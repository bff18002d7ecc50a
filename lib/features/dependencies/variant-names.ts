import type { Feature } from '../feature.ts';

/** Returns the names of all variants of a feature: in each environment, its own and those of its strategies. */
export function variantNames({ environments }: Pick<Feature, 'environments'>): ReadonlySet<string> {
  const variants = [...environments.values()].flatMap((state) => [
    ...state.variants,
    ...state.strategies.flatMap((strategy) => strategy.variants),
  ]);
  return new Set(variants.map(({ name }) => name));
}
