import type { Request } from '../request.ts';
import type { TokenScope } from '../tokens/token.ts';
import { type EvaluationContext, evaluationContext, type SentContext } from './evaluation/context.ts';
import type { EvaluatedVariant } from './evaluation/evaluation.ts';
import { evaluationOf } from './evaluation-of.ts';
import { snapshotOf } from './snapshot/snapshot.ts';

/**
 * The sender of a request to evaluate features: the scope of the token, the contexts that were sent, and the address.
 */
export interface EvaluationRequest {
  readonly scope: TokenScope;
  /** Parts of one context, of which a later one counts more. */
  readonly contexts: readonly SentContext[];
  /** Taken for the remote address where none was sent. */
  readonly address: string;
}

interface FrontendFeature {
  readonly name: string;
  readonly enabled: true;
  readonly variant: EvaluatedVariant;
  readonly impressionData: boolean;
}

export interface FrontendFeatures {
  readonly toggles: readonly FrontendFeature[];
  readonly stale: boolean;
}

/** The features of a token's scope that are on for a context. */
export async function evaluateFeatures(request: Request, asker: EvaluationRequest): Promise<FrontendFeatures> {
  const snapshot = await snapshotOf(request, asker.scope);
  const evaluation = evaluationOf(snapshot);
  const context = contextOf(asker);
  const toggles: FrontendFeature[] = [];
  for (const feature of snapshot.features) {
    const { enabled, variant } = evaluation.evaluate(feature, context);
    if (enabled) toggles.push({ name: feature.name, enabled, variant, impressionData: feature.impressionData });
  }
  return { toggles, stale: snapshot.stale };
}

/**
 * Returns the context that constraints are compared with. The token alone decides which environment's features are
 * evaluated; constraints on `environment` see the value that was sent, as in Unleash, and else that of the token.
 */
export function contextOf({ scope: { environment }, contexts, address }: EvaluationRequest): EvaluationContext {
  const sent: { texts: Record<string, string>; properties: Record<string, string> } = {
    texts: { remoteAddress: address },
    properties: {},
  };
  for (const { texts, properties } of contexts) {
    Object.assign(sent.texts, texts);
    Object.assign(sent.properties, properties);
  }
  return evaluationContext({ ...sent, texts: { ...sent.texts, environment: sent.texts.environment || environment } });
}
