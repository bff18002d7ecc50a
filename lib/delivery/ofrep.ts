import { invalid } from '../errors.ts';
import type { DeliveredFeature } from '../features/items/delivered-feature.ts';
import type { Request } from '../request.ts';
import { parsedJson } from '../values/json.ts';
import type { EvaluationResult, VariantResult } from './evaluation/evaluation.ts';
import { contextOf, type EvaluationRequest, evaluationOf } from './frontend-features.ts';
import type { OfrepFailure, OfrepFlag, OfrepValue } from './ofrep-schema.ts';
import { snapshotOf } from './snapshot/snapshot.ts';
import { undecidedReason, warnOfUndecided } from './undecided.ts';

type EvaluatedFeature = EvaluationResult<DeliveredFeature>;

/** OpenFeature's name for the way in which a value came about. */
type Reason = OfrepFlag['reason'];

/** Behind the name of a feature whose variants have payloads: whether it is on. No name has a colon. */
const enabledSuffix = ':enabled';

/**
 * One flag for a context. A feature is a boolean, on or off; one that has variants with payloads has the value of the
 * payload instead, and stands under its name and `:enabled` as the boolean.
 * @throws ApiError 400 where the flag cannot be decided for a context.
 */
export async function evaluateByOfrep(
  request: Request,
  asker: EvaluationRequest,
  key: string,
): Promise<OfrepFlag | undefined> {
  const snapshot = await snapshotOf(request, asker.scope);
  const isSwitch = key.endsWith(enabledSuffix);
  const name = isSwitch ? key.slice(0, -enabledSuffix.length) : key;
  const evaluated = (await evaluationOf(snapshot)).evaluate(name, contextOf(asker));
  if (evaluated === undefined) return undefined;
  if (!evaluated.isDecided) throw invalid(undecidedReason);
  return isSwitch ? switchOf(evaluated) : flagOf(evaluated);
}

export interface OfrepFlags {
  readonly flags: readonly (OfrepFlag | OfrepFailure)[];
  readonly stale: boolean;
}

/** All flags of the token's scope for a context; a failure in the place of each that cannot be decided. */
export async function evaluateAllByOfrep(request: Request, asker: EvaluationRequest): Promise<OfrepFlags> {
  const snapshot = await snapshotOf(request, asker.scope);
  const evaluated = (await evaluationOf(snapshot)).evaluateAll(contextOf(asker));
  warnOfUndecided(request, evaluated);
  const flags = evaluated.flatMap((each): (OfrepFlag | OfrepFailure)[] => {
    const answers = hasPayloads(each.feature) ? [flagOf(each), switchOf(each)] : [flagOf(each)];
    return each.isDecided ? answers : answers.map(({ key }) => failureOf(key));
  });
  return { flags, stale: snapshot.stale };
}

function failureOf(key: string): OfrepFailure {
  return { key, errorCode: 'INVALID_CONTEXT', errorDetails: undecidedReason };
}

function flagOf(evaluated: EvaluatedFeature): OfrepFlag {
  const { feature, enabled, variant } = evaluated;
  return answerOf(feature.name, hasPayloads(feature) ? payloadValue(variant) : enabled, evaluated);
}

function switchOf(evaluated: EvaluatedFeature): OfrepFlag {
  return answerOf(`${evaluated.feature.name}${enabledSuffix}`, evaluated.enabled, evaluated);
}

function answerOf(key: string, value: OfrepValue | undefined, { feature, enabled, variant }: EvaluatedFeature) {
  const { project, type } = feature;
  return {
    key,
    ...(value !== undefined && { value }),
    reason: value === undefined ? 'DISABLED' : reasonOf(feature, variant),
    variant: variantName(variant),
    metadata: { enabled, project, type },
  };
}

function variantName({ name, enabled, feature_enabled: isOn }: VariantResult): string {
  if (enabled) return name;
  return isOn ? 'on' : 'off';
}

function hasPayloads({ variants, strategies }: DeliveredFeature): boolean {
  const hasPayload = ({ payload }: { readonly payload?: unknown }) => payload !== undefined;
  return variants.some(hasPayload) || strategies.some((strategy) => strategy.variants.some(hasPayload));
}

/** Returns the value of a payload by its type; undefined if it has no such value. */
function payloadValue({ enabled, payload }: VariantResult): OfrepValue | undefined {
  if (!enabled || payload === undefined) return undefined;
  const { type, value } = payload;
  if (type === 'number') return Number.isFinite(Number(value)) && value.trim() !== '' ? Number(value) : undefined;
  return type === 'json' ? (parsedJson(value) as OfrepValue | undefined) : value;
}

function reasonOf({ enabled, strategies }: DeliveredFeature, variant: VariantResult): Reason {
  if (!enabled) return 'STATIC';
  if (variant.enabled) return 'SPLIT';
  const isForAll = strategies.every(({ name, constraints, segments = [], parameters }) => {
    const reachesAll = name === 'default' || (name === 'flexibleRollout' && Number(parameters.rollout) === 100);
    return reachesAll && constraints.length === 0 && segments.length === 0;
  });
  return isForAll ? 'STATIC' : 'TARGETING_MATCH';
}
