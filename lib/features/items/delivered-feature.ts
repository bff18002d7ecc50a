import type { FeatureVariant } from '../environments/variant-schema.ts';
import type { Feature, FeatureEnvironment } from '../feature.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';

/**
 * Strategy as an SDK gets it: without its id, title and position, which evaluation does not use. SDKs parse a response
 * completely or not at all, so the arrays are always there, and the parameters are text.
 */
export interface DeliveredStrategy extends Pick<Strategy, 'name' | 'parameters' | 'constraints' | 'variants'> {
  /** The ids of segments; missing where there are none. */
  readonly segments?: readonly number[];
}

/** State of a feature in one environment, as an SDK gets it. */
export interface DeliveredState {
  /** Those that are enabled, in their order. */
  readonly strategies: readonly DeliveredStrategy[];
  readonly variants: readonly FeatureVariant[];
}

/** A parent must be on, in one of certain variants where some are named, or must be off. */
type DeliveredDependency =
  | { readonly feature: string; readonly enabled: true; readonly variants?: readonly string[] }
  | { readonly feature: string; readonly enabled: false };

/** A feature as an SDK gets it in one environment: Unleash's `clientFeatureSchema`, in its order of keys. */
export interface DeliveredFeature extends DeliveredState, Omit<SharedFields, 'dependencies'> {
  readonly enabled: boolean;
  /** Missing where there are none. */
  readonly dependencies?: readonly DeliveredDependency[];
}

/** The fields of a feature that an SDK gets, the same in all environments. */
type SharedFields = Pick<
  Feature,
  'name' | 'type' | 'project' | 'stale' | 'description' | 'impressionData' | 'dependencies'
>;

/** Disabled strategies are left out: no SDK knows the word. */
export function toDeliveredState({
  strategies,
  variants,
}: Pick<FeatureEnvironment, 'strategies' | 'variants'>): DeliveredState {
  return {
    strategies: strategies
      .filter(({ disabled }) => !disabled)
      .toSorted((a, b) => a.sortOrder - b.sortOrder)
      .map(deliveredStrategy),
    variants: variants.map((variant) => ({ ...variant, stickiness: variant.stickiness ?? 'default' })),
  };
}

/** @param enabled true if it is on in the environment. */
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
    ...(dependencies.length > 0 && { dependencies: dependencies.map(deliveredDependency) }),
  };
}

function deliveredStrategy({ name, constraints, parameters, variants, segments }: Strategy): DeliveredStrategy {
  return { name, constraints, parameters, variants, ...(segments.length > 0 && { segments }) };
}

function deliveredDependency({ feature, enabled, variants }: Feature['dependencies'][number]): DeliveredDependency {
  if (!enabled) return { feature, enabled };
  return { feature, enabled, ...(variants.length > 0 && { variants }) };
}
