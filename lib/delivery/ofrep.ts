import { invalid } from '../errors.ts';
import type { DeliveredFeature } from '../features/items/delivered-feature.ts';
import type { Request } from '../request.ts';
import { parseJson } from '../values/json.ts';
import type { StateTag } from './delta/tag.ts';
import type { EvaluationResult, VariantResult } from './evaluation/evaluation.ts';
import {
  buildRequestContext,
  type EvaluationRequest,
  prepareEvaluation,
  undecidedReason,
  warnOfUndecided,
} from './frontend-features.ts';
import type { OfrepFailure, OfrepFlag, OfrepValue } from './ofrep-schema.ts';
import { loadSnapshot } from './snapshot/load-snapshot.ts';

type EvaluatedFeature = EvaluationResult<DeliveredFeature>;

/** OpenFeature's reason for a value. */
type Reason = OfrepFlag['reason'];

/** The suffix of the boolean flag of a feature with payloads. No feature name contains a colon. */
const enabledSuffix = ':enabled';

/**
 * Evaluates one flag for a context. A feature is a boolean flag. A feature whose variants have payloads has the value of the payload,
 * and a second, boolean flag with the suffix `:enabled`.
 * @returns undefined for an unknown feature.
 * @throws ApiError 400 if the flag exceeds the budget of the request.
 */
export async function evaluateByOfrep(
  request: Request,
  sender: EvaluationRequest,
  key: string,
): Promise<OfrepFlag | undefined> {
  const snapshot = await loadSnapshot(request, sender.scope);
  const isSwitch = key.endsWith(enabledSuffix);
  const name = isSwitch ? key.slice(0, -enabledSuffix.length) : key;
  const result = (await prepareEvaluation(snapshot)).evaluate(name, buildRequestContext(sender));
  if (result === undefined) return undefined;
  if (!result.isDecided) throw invalid(undecidedReason);
  return isSwitch ? toSwitch(result) : toFlag(result);
}

export interface OfrepFlags {
  readonly flags: readonly (OfrepFlag | OfrepFailure)[];
  readonly stale: boolean;
}

/**
 * Evaluates all flags of a token's scope for a context. A flag that exceeds the budget is a failure.
 * @param tag the state of which a signal has told the provider. The result is not older, also if another process answers.
 */
export async function evaluateAllByOfrep(
  request: Request,
  sender: EvaluationRequest,
  tag?: StateTag,
): Promise<OfrepFlags> {
  const snapshot = await loadSnapshot(request, sender.scope, tag?.revision);
  const results = (await prepareEvaluation(snapshot)).evaluateAll(buildRequestContext(sender));
  warnOfUndecided(request, results);
  const allFlags = results.flatMap((result): (OfrepFlag | OfrepFailure)[] => {
    const flags = hasPayloads(result.feature) ? [toFlag(result), toSwitch(result)] : [toFlag(result)];
    return result.isDecided ? flags : flags.map(({ key }) => toFailure(key));
  });
  return { flags: allFlags, stale: snapshot.stale };
}

function toFailure(key: string): OfrepFailure {
  return { key, errorCode: 'INVALID_CONTEXT', errorDetails: undecidedReason };
}

function toFlag(evaluated: EvaluatedFeature): OfrepFlag {
  const { feature, enabled, variant } = evaluated;
  return toOfrepFlag(feature.name, hasPayloads(feature) ? payloadValue(variant) : enabled, evaluated);
}

function toSwitch(evaluated: EvaluatedFeature): OfrepFlag {
  return toOfrepFlag(`${evaluated.feature.name}${enabledSuffix}`, evaluated.enabled, evaluated);
}

function toOfrepFlag(key: string, value: OfrepValue | undefined, { feature, enabled, variant }: EvaluatedFeature) {
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

/** Parses a payload by its type; undefined if it is not a value of this type. */
function payloadValue({ enabled, payload }: VariantResult): OfrepValue | undefined {
  if (!enabled || payload === undefined) return undefined;
  const { type, value } = payload;
  if (type === 'number') return Number.isFinite(Number(value)) && value.trim() !== '' ? Number(value) : undefined;
  return type === 'json' ? (parseJson(value) as OfrepValue | undefined) : value;
}

function reasonOf({ enabled, strategies }: DeliveredFeature, variant: VariantResult): Reason {
  if (!enabled) return 'STATIC';
  if (variant.enabled) return 'SPLIT';
  const reachesEverybody = strategies.every(({ name, constraints, segments = [], parameters }) => {
    const reachesAll = name === 'default' || (name === 'flexibleRollout' && Number(parameters.rollout) === 100);
    return reachesAll && constraints.length === 0 && segments.length === 0;
  });
  return reachesEverybody ? 'STATIC' : 'TARGETING_MATCH';
}
