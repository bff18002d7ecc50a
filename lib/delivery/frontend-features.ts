import type { DeliveredFeature } from '../features/items/delivered-feature.ts';
import type { TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { cachePerObject } from '../values/cache.ts';
import { sha256 } from '../values/sha256.ts';
import type { ClientFeatures } from './client-features.ts';
import { buildContextInSession, type EvaluationContext, type SentContext } from './evaluation/context.ts';
import { Evaluation, type EvaluationResult } from './evaluation/evaluation.ts';
import { compileAhead } from './evaluation/expression.ts';
import { loadSnapshot } from './snapshot/load-snapshot.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** The sender of an evaluation request: the scope of the token, the contexts of the request, and its address. */
export interface EvaluationRequest {
  readonly scope: TokenScope;
  /** Parts of one context; later ones take precedence. */
  readonly contexts: readonly SentContext[];
  /** The remote address, unless the context has one. */
  readonly address: string;
}

/** The response with all features that are on. */
export type FrontendFeatures = Omit<ClientFeatures, 'holds'>;

/** Evaluates the features of a token's scope for a context. Features that exceed the budget of a request are off, with a warning. */
export async function evaluateFeatures(request: Request, sender: EvaluationRequest): Promise<FrontendFeatures> {
  const snapshot = await loadSnapshot(request, sender.scope);
  const texts: string[] = [];
  let digests = '';
  const results = (await prepareEvaluation(snapshot)).evaluateAll(buildRequestContext(sender));
  for (const result of results) {
    if (!result.enabled) continue;
    const { text, digest } = serialize(result);
    texts.push(text);
    digests += digest;
  }
  warnOfUndecided(request, results);
  return { text: `{"toggles":[${texts.join(',')}]}`, etag: `W/"${shortDigest(digests)}"`, stale: snapshot.stale };
}

/** Returns the JSON of a result and its digest, cached. An ETag of digests takes a tenth of the time of an ETag of all JSON. */
const serialize = cachePerObject(
  ({ feature: { name, impressionData }, enabled, variant }: EvaluationResult<DeliveredFeature>) => {
    const text = JSON.stringify({ name, enabled, variant, impressionData });
    return { text, digest: shortDigest(text) };
  },
);

const shortDigest = (text: string) => sha256(text, 'base64url').slice(0, 22);

/** The reason why a feature is undecided for a context. */
export const undecidedReason =
  'The constraints take more work for these context values than one request may take; use shorter values.';

/** Warns the operator and the caller of undecided features. The log only counts them, since it names no feature. */
export function warnOfUndecided(request: Request, results: readonly EvaluationResult<unknown>[]): void {
  const count = results.filter(({ isDecided }) => !isDecided).length;
  if (count > 0) request.warnings.add(`Undecided flags, which are off: ${count}. ${undecidedReason}`);
}

/**
 * Builds the context of an evaluation. Features are evaluated in the environment of the token. Constraints on `environment` see the
 * value of the request, as in Unleash, or else the environment of the token.
 */
export function buildRequestContext({
  scope: { environment },
  contexts,
  address,
}: EvaluationRequest): EvaluationContext {
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

/** Prepares the evaluation of a snapshot, once. */
export const prepareEvaluation = cachePerObject(async (snapshot: Snapshot) => {
  await compileAhead(constraintsIn(snapshot));
  return new Evaluation(snapshot);
});

/** Lists the constraints that an evaluation of a snapshot may use. */
function* constraintsIn({ features, segments }: Snapshot) {
  for (const { enabled, strategies } of features) {
    if (enabled) for (const { constraints } of strategies) yield* constraints;
  }
  for (const { constraints } of segments.values()) yield* constraints;
}
