import { isDeepStrictEqual } from 'node:util';
import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';

export type Content = Omit<Strategy, 'id' | 'sortOrder'>;

/** Returns the content of a strategy made from an input. */
export function newContentOf(input: StrategyInput, featureName: string, defaultStickiness: string): Content {
  const { name, title = null, disabled, variants = [], parameters = {} } = input;
  const rollout = { rollout: '100', stickiness: defaultStickiness, groupId: featureName };
  return {
    name,
    title,
    disabled: disabled ?? false,
    featureName,
    segments: [],
    constraints: [],
    variants: weighted(variants),
    parameters: name === 'flexibleRollout' ? { ...rollout, ...parameters } : parameters,
  };
}

/** Fixed weights stay, the others share what is left of 1000, the first of them one more where it does not come out even. */
function weighted(variants: NonNullable<StrategyInput['variants']>): Strategy['variants'] {
  const isFixed = ({ weightType }: Strategy['variants'][number]) => weightType === 'fix';
  let left = 1000 - variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0);
  let sharing = variants.filter((variant) => !isFixed(variant)).length;
  return variants.map((variant) => {
    if (isFixed(variant)) return variant;
    const weight = Math.ceil(left / sharing);
    left -= weight;
    sharing -= 1;
    return { ...variant, weight };
  });
}

export function placeAfter(strategies: readonly { readonly sortOrder: number }[]): number {
  return Math.max(-1, ...strategies.map(({ sortOrder }) => sortOrder)) + 1;
}

type Wanted = Content & { readonly sortOrder: number };

/**
 * Replaces strategies: those of the same content stay, under their ids. New ids are taken from `newIds`, in the order
 * of the places.
 */
export function replaced(existing: readonly Strategy[], wanted: readonly Wanted[], newIds: readonly string[]) {
  const left = inPlace(existing);
  const ids = [...newIds];
  const added: Strategy[] = [];
  let isMoved = false;
  const made = new Map<Wanted, Strategy>();
  for (const each of inPlace(wanted)) {
    const index = left.findIndex(({ id: _id, sortOrder, ...content }) =>
      isDeepStrictEqual({ ...content, sortOrder: each.sortOrder }, each),
    );
    const [same] = index < 0 ? [] : left.splice(index, 1);
    const strategy = { ...each, id: same?.id ?? ids.shift() ?? 'a new id' };
    if (same === undefined) added.push(strategy);
    else isMoved ||= same.sortOrder !== each.sortOrder;
    made.set(each, strategy);
  }
  const strategies = wanted.map((each) => made.get(each) as Strategy);
  const kept = (all: readonly Strategy[]) => inPlace(all).flatMap(({ id }) => (isKept(id) ? [id] : []));
  const isKept = (id: string) => [existing, strategies].every((all) => all.some((each) => each.id === id));
  isMoved ||= !isDeepStrictEqual(kept(existing), kept(strategies));
  return { strategies, removed: left, added, isMoved };
}

/** Strategies in the order of their places. */
export function inPlace<T extends { readonly sortOrder: number }>(strategies: readonly T[]): T[] {
  return strategies.toSorted((a, b) => a.sortOrder - b.sortOrder);
}
