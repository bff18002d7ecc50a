import type { EvaluationContext } from '../evaluation/context.ts';
import type { EvaluatedVariant } from '../evaluation/evaluation.ts';
import type { DeliveredFeature } from '../features/delivered-feature.ts';
import type { OfrepValue } from '../schemas/ofrep.ts';
import { type Snapshot, snapshotOf } from '../snapshot/snapshot.ts';
import type { Table } from '../table/table.ts';
import { evaluationOf } from './evaluation-of.ts';
import { type Asker, contextOf } from './frontend-features.ts';

/** What OpenFeature calls the way in which a value came about. */
type Reason = 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED';

/** A flag as the OpenFeature Remote Evaluation Protocol answers it. Without a value the default of the code holds. */
export interface OfrepFlag {
  readonly key: string;
  readonly value?: OfrepValue;
  readonly reason: Reason;
  /** That of the feature, or `on` or `off`: the provider of Python fails without one. */
  readonly variant: string;
  readonly metadata: { readonly enabled: boolean; readonly project: string; readonly type: string };
}

/** Behind the name of a feature whose variants have payloads: whether it is on. No name has a colon. */
const enabledSuffix = ':enabled';

/**
 * One flag for a context. A feature is a boolean, on or off; one that has variants with payloads has the value of the
 * payload instead, and stands under its name and `:enabled` as the boolean.
 */
export async function ofrepFlag(table: Table, asker: Asker, key: string): Promise<OfrepFlag | undefined> {
  const snapshot = await snapshotOf(table, asker.scope);
  const isSwitch = key.endsWith(enabledSuffix);
  const name = isSwitch ? key.slice(0, -enabledSuffix.length) : key;
  const feature = snapshot.features.find((each) => each.name === name);
  return feature && flagOf(feature, snapshot, contextOf(asker), isSwitch);
}

export interface OfrepFlags {
  readonly flags: readonly OfrepFlag[];
  readonly stale: boolean;
}

/** All flags of the token's scope for a context. */
export async function ofrepFlags(table: Table, asker: Asker): Promise<OfrepFlags> {
  const snapshot = await snapshotOf(table, asker.scope);
  const context = contextOf(asker);
  const flags = snapshot.features.flatMap((feature) => [
    flagOf(feature, snapshot, context, false),
    ...(hasPayloads(feature) ? [flagOf(feature, snapshot, context, true)] : []),
  ]);
  return { flags, stale: snapshot.stale };
}

function flagOf(
  feature: DeliveredFeature,
  snapshot: Snapshot,
  context: EvaluationContext,
  isSwitch: boolean,
): OfrepFlag {
  const { name, project, type } = feature;
  const { enabled, variant } = evaluationOf(snapshot).evaluate(feature, context);
  const value = isSwitch || !hasPayloads(feature) ? enabled : payloadValue(variant);
  return {
    key: isSwitch ? `${name}${enabledSuffix}` : name,
    ...(value !== undefined && { value }),
    reason: reasonOf(feature, variant),
    variant: variantName(variant),
    metadata: { enabled, project, type },
  };
}

function variantName({ name, enabled, feature_enabled: isOn }: EvaluatedVariant): string {
  if (enabled) return name;
  return isOn ? 'on' : 'off';
}

function hasPayloads({ variants, strategies }: DeliveredFeature): boolean {
  const hasPayload = ({ payload }: { readonly payload?: unknown }) => payload !== undefined;
  return variants.some(hasPayload) || strategies.some((strategy) => strategy.variants.some(hasPayload));
}

/** What the payload says, as its type has it; nothing where it does not. */
function payloadValue({ enabled, payload }: EvaluatedVariant): OfrepValue | undefined {
  if (!enabled || payload === undefined) return undefined;
  const { type, value } = payload;
  if (type === 'number') return Number.isFinite(Number(value)) && value.trim() !== '' ? Number(value) : undefined;
  return type === 'json' ? JSON.parse(value) : value;
}

function reasonOf({ enabled, strategies }: DeliveredFeature, variant: EvaluatedVariant): Reason {
  if (!enabled) return 'DISABLED';
  if (variant.enabled) return 'SPLIT';
  const isForAll = strategies.every(({ name, constraints, segments = [], parameters }) => {
    const reachesAll = name === 'default' || (name === 'flexibleRollout' && Number(parameters.rollout) === 100);
    return reachesAll && constraints.length === 0 && segments.length === 0;
  });
  return isForAll ? 'STATIC' : 'TARGETING_MATCH';
}
