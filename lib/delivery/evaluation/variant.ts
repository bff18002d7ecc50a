import type { EvaluationContext } from './context.ts';
import { variantPositions } from './normalized-hash.ts';

/** The part of a variant that evaluation reads. */
export interface EvaluableVariant {
  readonly name: string;
  readonly weight: number;
  readonly stickiness?: string;
  readonly payload?: { readonly type: string; readonly value: string };
  readonly overrides?: readonly { readonly contextName: string; readonly values: readonly string[] }[];
}

/** Choice of a variant for a context; undefined where there is none to be chosen. */
export type VariantChoice<V> = (context: EvaluationContext) => V | undefined;

/** Returns the choice among the variants of a feature. */
export function choiceOfFeature<V extends EvaluableVariant>(name: string, variants: readonly V[]): VariantChoice<V> {
  return choiceOf(variants, name, variants[0]?.stickiness);
}

/** Returns the choice among the variants of a strategy. A strategy without a group has one named `undefined` in SDKs. */
export function choiceOfStrategy<V extends EvaluableVariant>(
  { groupId, stickiness }: Readonly<Record<string, string>>,
  variants: readonly V[],
): VariantChoice<V> {
  return choiceOf(variants, String(groupId), variants[0]?.stickiness || stickiness);
}

/** @param stickiness the field of the context by which somebody keeps a variant. */
function choiceOf<V extends EvaluableVariant>(
  variants: readonly V[],
  groupId: string,
  stickiness = 'default',
): VariantChoice<V> {
  const totalWeight = variants.reduce((sum, { weight }) => sum + weight, 0);
  if (totalWeight <= 0) return () => undefined;
  const positionOf = variantPositions(groupId, totalWeight);
  return (context) => {
    const overridden = variants.find((variant) => isOverridden(variant, context));
    if (overridden !== undefined) return overridden;
    const position = positionOf(idIn(context, stickiness), context.budget);
    let reached = 0;
    return variants.find(({ weight }) => {
      reached += weight;
      return reached >= position;
    });
  };
}

function isOverridden({ overrides = [] }: EvaluableVariant, { values: sent }: EvaluationContext): boolean {
  return overrides.some(({ contextName, values }) => values.some((value) => value === sent.get(contextName)));
}

function idIn({ userId, sessionId, remoteAddress, values, randomId }: EvaluationContext, stickiness: string): string {
  const id = stickiness === 'default' ? userId || sessionId || remoteAddress : values.get(stickiness);
  return id || randomId;
}
