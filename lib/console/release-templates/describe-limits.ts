import { describeValue } from '../words/differences.ts';
import { countOf } from '../words/numbers.ts';
import type { StrategyDraft } from './template-draft.ts';

/** Returns the share of users that a strategy reaches, in per cent. */
export function shareOf({ parameters }: StrategyDraft): number {
  return Number(parameters.rollout ?? 100);
}

/** Lists in words whom a strategy is for, and how many variants it has: "in Europe", "appName is one of shop". */
export function describeLimits(
  { segments: used, constraints, variants }: StrategyDraft,
  segments: readonly { readonly id: number; readonly name: string }[],
): string[] {
  const nameOf = (id: number) => segments.find((segment) => segment.id === id)?.name ?? `segment ${id}`;
  return [
    ...used.map((id) => `in ${nameOf(id)}`),
    ...constraints.map(describeValue),
    ...(variants.length > 0 ? [countOf(variants.length, 'variant')] : []),
  ];
}
