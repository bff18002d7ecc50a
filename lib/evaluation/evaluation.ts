import client from 'unleash-client/lib/client.js';
import type { FeatureInterface } from 'unleash-client/lib/feature.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import type { Segment } from 'unleash-client/lib/strategy/strategy.js';
import type { Variant } from 'unleash-client/lib/variant.js';
import type { EvaluationContext } from './context.ts';

/** What an evaluation reads of features and segments. */
export interface Evaluable {
  readonly features: readonly EvaluableFeature[];
  readonly segments: ReadonlyMap<number, EvaluableSegment>;
}

/** A feature as an SDK gets it. */
export interface EvaluableFeature {
  readonly name: string;
  readonly enabled: boolean;
  readonly impressionData: boolean;
  readonly strategies: readonly object[];
  readonly variants: readonly object[];
  readonly dependencies?: readonly object[];
}

interface EvaluableSegment {
  readonly id: number;
  readonly constraints: readonly object[];
}

/** What a feature is for a context. */
export interface Evaluated {
  readonly enabled: boolean;
  readonly variant: EvaluatedVariant;
}

/** A variant as the frontend API answers it: `disabled` where the feature is off or has none. */
export interface EvaluatedVariant {
  readonly name: string;
  readonly enabled: boolean;
  readonly payload?: { readonly type: string; readonly value: string };
  readonly feature_enabled: boolean;
  readonly featureEnabled: boolean;
}

/**
 * Evaluates features with the engine of the official Node SDK, so that the service and the SDKs give the same answers. An
 * unknown strategy type never matches, and an unknown segment neither.
 */
export class Evaluation {
  readonly #client: InstanceType<typeof client.default>;

  constructor({ features, segments }: Evaluable) {
    const byName = new Map(features.map((feature) => [feature.name, feature as unknown as FeatureInterface]));
    const repository = {
      getToggle: (name: string) => byName.get(name),
      getSegment: (id: number) => segments.get(id) as Segment | undefined,
    };
    // Of a repository the engine uses these two.
    this.#client = new client.default(repository as never, defaultStrategies);
  }

  /** What a feature is for a context; one that is unknown is off. */
  evaluate(name: string, context: EvaluationContext): Evaluated {
    // Together with the variant, so that a random rollout is decided once. Its type leaves out what it always sets.
    const variant = this.#client.forceGetVariant(name, context as never) as Variant & EvaluatedVariant;
    return { enabled: variant.feature_enabled, variant };
  }
}
