import { RE2JS } from 're2js';
import client from 'unleash-client/lib/client.js';
import type { FeatureInterface } from 'unleash-client/lib/feature.js';
import { resolveContextValue } from 'unleash-client/lib/helpers.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import type { Constraint, Segment, StrategyTransportInterface } from 'unleash-client/lib/strategy/strategy.js';
import { selectVariant } from 'unleash-client/lib/variant.js';
import { onceFor } from '../../values/memory.ts';
import type { EvaluationContext } from './context.ts';

/** The part of features and segments that an evaluation reads. */
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

/** The result of a feature for a context. */
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

/** The fallback for a feature that is not there. */
const fallback = () => false;
/** The result for every feature that is off. */
const off: Evaluated = {
  enabled: false,
  variant: { name: 'disabled', enabled: false, feature_enabled: false, featureEnabled: false },
};

/**
 * Evaluates features with the engine of the official Node SDK, so that the service and the SDKs give the same answers. An
 * unknown strategy type never matches, nor does a strategy with an unknown segment.
 */
export class Evaluation {
  readonly #engine: Engine;

  constructor({ features, segments }: Evaluable) {
    const byName = new Map(features.map((feature) => [feature.name, feature as unknown as FeatureInterface]));
    const repository = {
      getToggle: (name: string) => byName.get(name),
      getSegment: (id: number) => segments.get(id) as Segment | undefined,
    };
    // Of a repository the engine uses these two.
    this.#engine = new Engine(repository as never, strategies);
  }

  /** Evaluates one of the features for a context; one that does not exist is off. */
  evaluate(found: EvaluableFeature | undefined, context: EvaluationContext): Evaluated {
    const feature = found as unknown as FeatureInterface;
    const result = this.#engine.isFeatureEnabled(feature, context as never, fallback);
    if (!result.enabled) return off;
    // From the same decision, since a random rollout may decide differently the next time.
    const chosen = (result.variant ?? ownVariant(feature, context)) as EvaluatedVariant;
    return { enabled: true, variant: { ...chosen, feature_enabled: true, featureEnabled: true } };
  }
}

/** The variant of a feature of which no strategy has chosen one. */
function ownVariant(feature: FeatureInterface, context: EvaluationContext) {
  const chosen = selectVariant(feature, context as never);
  return chosen === null ? off.variant : { name: chosen.name, enabled: true, payload: chosen.payload };
}

/** The regular expression of a constraint; undefined where it is none. The SDK compiles again what is beyond its last hundred. */
const patternOf = onceFor(compiled);

function compiled({ value, caseInsensitive }: Constraint): RE2JS | undefined {
  try {
    return RE2JS.compile(String(value), caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return undefined;
  }
}

/** The strategies of the SDK, with each regular expression compiled once. */
const strategies = defaultStrategies.map((strategy) =>
  Object.assign(Object.create(strategy) as typeof strategy, {
    checkConstraint(constraint: Constraint, context: never): boolean {
      if (String(constraint.operator) !== 'REGEX') return strategy.checkConstraint(constraint, context);
      const text = resolveContextValue(context, constraint.contextName);
      const isMatch = typeof text === 'string' && patternOf(constraint)?.matcher(text).find() === true;
      return constraint.inverted ? !isMatch : isMatch;
    },
  }),
);

/** The engine of the SDK. It collects the constraints of a strategy and its segments once, not for each evaluation. */
class Engine extends client.default {
  readonly #constraints = new WeakMap<StrategyTransportInterface, readonly (Constraint | undefined)[]>();

  override yieldConstraintsFor(strategy: StrategyTransportInterface): IterableIterator<Constraint | undefined> {
    const known = this.#constraints.get(strategy);
    if (known !== undefined) return known.values();
    const constraints = [...super.yieldConstraintsFor(strategy)];
    this.#constraints.set(strategy, constraints);
    return constraints.values();
  }
}
