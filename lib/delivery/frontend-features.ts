import type { DeliveredFeature } from '../features/items/delivered-feature.ts';
import type { TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { onceFor } from '../values/memory.ts';
import { sha256 } from '../values/sha256.ts';
import type { ClientFeatures } from './client-features.ts';
import { buildContextInSession, type EvaluationContext, type SentContext } from './evaluation/context.ts';
import { Evaluation, type EvaluationResult } from './evaluation/evaluation.ts';
import { compileAhead } from './evaluation/expression.ts';
import { type Snapshot, snapshotOf } from './snapshot/snapshot.ts';
import { warnOfUndecided } from './undecided.ts';

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
export type FrontendFeatures = Omit<ClientFeatures, 'holds'>;

/**
 * The features of a token's scope that are on for a context. Those that cannot be decided, since they would take more work than
 * a request may, count as off, with a warning.
 */
export async function evaluateFeatures(request: Request, asker: EvaluationRequest): Promise<FrontendFeatures> {
  const snapshot = await snapshotOf(request, asker.scope);
  const texts: string[] = [];
  let digests = '';
  const all = (await evaluationOf(snapshot)).evaluateAll(contextOf(asker));
  for (const evaluated of all) {
    if (!evaluated.enabled) continue;
    const { text, digest } = shownOf(evaluated);
    texts.push(text);
    digests += digest;
  }
  warnOfUndecided(request, all);
  return { text: `{"toggles":[${texts.join(',')}]}`, etag: `W/"${shortDigest(digests)}"`, stale: snapshot.stale };
}

/** The JSON of a result, and its digest: an ETag of these takes a tenth of the time of one of all the JSON. */
const shownOf = onceFor(
  ({ feature: { name, impressionData }, enabled, variant }: EvaluationResult<DeliveredFeature>) => {
    const text = JSON.stringify({ name, enabled, variant, impressionData });
    return { text, digest: shortDigest(text) };
  },
);

const shortDigest = (text: string) => sha256(text, 'base64url').slice(0, 22);

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
  return buildContextInSession({
    ...sent,
    texts: { ...sent.texts, environment: sent.texts.environment || environment },
  });
}

/** The evaluation of a snapshot, which is set up once. */
export const evaluationOf = onceFor(async (snapshot: Snapshot) => {
  await compileAhead(constraintsIn(snapshot));
  return new Evaluation(snapshot);
});

/** The constraints that an evaluation of a snapshot may come to. */
function* constraintsIn({ features, segments }: Snapshot) {
  for (const { enabled, strategies } of features) {
    if (enabled) for (const { constraints } of strategies) yield* constraints;
  }
  for (const { constraints } of segments.values()) yield* constraints;
}
