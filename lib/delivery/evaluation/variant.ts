import type { EvaluationContext } from './context.ts';
import { buildVariantPosition } from './normalized-hash.ts';

/** The part of a variant that evaluation reads. */
export interface EvaluableVariant {
  readonly name: string;
  readonly weight: number;
  readonly stickiness?: string;
  readonly payload?: { readonly type: string; readonly value: string };
  readonly overrides?: readonly { readonly contextName: string; readonly values: readonly string[] }[];
}

/** Chooses a variant for a context; undefined without variants. */
export type VariantChoice<V> = (context: EvaluationContext) => V | undefined;

/** Builds the choice among the variants of a feature. */
export function buildFeatureChoice<V extends EvaluableVariant>(name: string, variants: readonly V[]): VariantChoice<V> {
  return buildChoice(variants, name, variants[0]?.stickiness);
}

/** Builds the choice among the variants of a strategy. Without a `groupId`, SDKs use the text `undefined`. */
export function buildStrategyChoice<V extends EvaluableVariant>(
  { groupId, stickiness }: Readonly<Record<string, string>>,
  variants: readonly V[],
): VariantChoice<V> {
  return buildChoice(variants, String(groupId), variants[0]?.stickiness || stickiness);
}

/** @param stickiness the field of the context that decides which variant a user keeps. */
function buildChoice<V extends EvaluableVariant>(
  variants: readonly V[],
  groupId: string,
  stickiness = 'default',
): VariantChoice<V> {
  const totalWeight = variants.reduce((sum, { weight }) => sum + weight, 0);
  if (totalWeight <= 0) return () => undefined;
  const positionOf = buildVariantPosition(groupId, totalWeight);
  return (context) => {
    const overridden = variants.find((variant) => isOverridden(variant, context));
    if (overridden !== undefined) return overridden;
    const position = positionOf(stickyIdIn(context, stickiness), context.budget);
    let sum = 0;
    return variants.find(({ weight }) => {
      sum += weight;
      return sum >= position;
    });
  };
}

function isOverridden({ overrides = [] }: EvaluableVariant, { values: fields }: EvaluationContext): boolean {
  return overrides.some(({ contextName, values }) => values.some((value) => value === fields.get(contextName)));
}

function stickyIdIn(
  { userId, sessionId, remoteAddress, values, randomId }: EvaluationContext,
  stickiness: string,
): string {
  const id = stickiness === 'default' ? userId || sessionId || remoteAddress : values.get(stickiness);
  return id || randomId;
}
