import type { DeliveredFeature } from '../features/items/delivered-feature.ts';
import type { Request } from '../request.ts';
import type { TokenScope } from '../tokens/token.ts';
import { onceFor } from '../values/memory.ts';
import { type EvaluationContext, evaluationContext, type SentContext } from './evaluation/context.ts';
import type { Evaluated } from './evaluation/evaluation.ts';
import { evaluationOf } from './evaluation-of.ts';
import { type Snapshot, snapshotOf } from './snapshot/snapshot.ts';

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

/** The JSON of the features that are on. */
export interface FrontendFeatures {
  readonly text: string;
  /** True if the store could not be reached, so that this is its last known state. */
  readonly stale: boolean;
}

/** The JSON of each result that has been sent, for as long as the snapshot is in use. */
const textsOf = onceFor((_: Snapshot) => new Map<Evaluated<DeliveredFeature>, string>());

/** The features of a token's scope that are on for a context. */
export async function evaluateFeatures(request: Request, asker: EvaluationRequest): Promise<FrontendFeatures> {
  const snapshot = await snapshotOf(request, asker.scope);
  const known = textsOf(snapshot);
  const texts = evaluationOf(snapshot)
    .evaluateAll(contextOf(asker))
    .filter(({ enabled }) => enabled)
    .map((evaluated) => {
      if (!known.has(evaluated)) known.set(evaluated, textOf(evaluated));
      return known.get(evaluated);
    });
  return { text: `{"toggles":[${texts.join(',')}]}`, stale: snapshot.stale };
}

function textOf({ feature: { name, impressionData }, enabled, variant }: Evaluated<DeliveredFeature>): string {
  return JSON.stringify({ name, enabled, variant, impressionData });
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
