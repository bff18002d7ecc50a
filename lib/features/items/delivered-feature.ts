import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import { listLiveStrategies } from '../environments/feature-environment.ts';
import type { FeatureVariant } from '../environments/variant-schema.ts';
import type { Feature } from '../feature.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';

/**
 * A strategy as SDKs get it: without its id, title and position, which evaluation does not use. An SDK rejects a whole
 * response if one value has another type, so the arrays are always present, and the parameters are texts.
 */
export interface DeliveredStrategy extends Pick<Strategy, 'name' | 'parameters' | 'constraints' | 'variants'> {
  /** The ids of segments; missing if there are none. */
  readonly segments?: readonly number[];
}

/** The state of a feature in one environment, as SDKs get it. */
export interface DeliveredState {
  /** The enabled strategies, in their order. */
  readonly strategies: readonly DeliveredStrategy[];
  readonly variants: readonly FeatureVariant[];
}

/** A condition on a parent: it is on, with one of the variants if any are named, or it is off. */
type DeliveredDependency =
  | { readonly feature: string; readonly enabled: true; readonly variants?: readonly string[] }
  | { readonly feature: string; readonly enabled: false };

/** A feature in one environment, as SDKs get it: Unleash's `clientFeatureSchema`, in its order of keys. */
export interface DeliveredFeature extends DeliveredState, Omit<SharedFields, 'dependencies'> {
  readonly enabled: boolean;
  /** Missing if there are none. */
  readonly dependencies?: readonly DeliveredDependency[];
}

/** The fields that SDKs get and that are the same in all environments. */
type SharedFields = Pick<
  Feature,
  'name' | 'type' | 'project' | 'stale' | 'description' | 'impressionData' | 'dependencies'
>;

/**
 * Converts a state for SDKs, which know nothing of plans: they get the strategies of the active milestone before the others.
 * Disabled strategies are omitted, since no SDK knows `disabled`.
 */
export function toDeliveredState(state: Pick<FeatureEnvironment, 'strategies' | 'variants' | 'plan'>): DeliveredState {
  return {
    strategies: listLiveStrategies(state)
      .filter(({ disabled }) => !disabled)
      .map(toDeliveredStrategy),
    variants: state.variants.map((variant) => ({ ...variant, stickiness: variant.stickiness ?? 'default' })),
  };
}

/**
 * Converts a feature for SDKs.
 * @param enabled true if the feature is on in the environment.
 */
export function toDeliveredFeature(
  { name, type, project, stale, description, impressionData, dependencies }: SharedFields,
  enabled: boolean,
  { strategies, variants }: DeliveredState,
): DeliveredFeature {
  return {
    name,
    type,
    enabled,
    project,
    stale,
    strategies,
    variants,
    description,
    impressionData,
    ...(dependencies.length > 0 && { dependencies: dependencies.map(toDeliveredDependency) }),
  };
}

function toDeliveredStrategy({ name, constraints, parameters, variants, segments }: Strategy): DeliveredStrategy {
  return { name, constraints, parameters, variants, ...(segments.length > 0 && { segments }) };
}

function toDeliveredDependency({ feature, enabled, variants }: Feature['dependencies'][number]): DeliveredDependency {
  if (!enabled) return { feature, enabled };
  return { feature, enabled, ...(variants.length > 0 && { variants }) };
}
