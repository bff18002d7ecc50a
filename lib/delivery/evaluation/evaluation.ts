import { activationOf } from './activation.ts';
import { conditionOf, type EvaluableConstraint } from './constraint.ts';
import { allHold, type ContextCondition, type EvaluationContext } from './context.ts';
import { choiceOfFeature, choiceOfStrategy, type EvaluableVariant, type VariantChoice } from './variant.ts';

/** The part of features and segments that an evaluation reads. */
export interface Evaluable<F extends EvaluableFeature> {
  readonly features: readonly F[];
  readonly segments: ReadonlyMap<number, { readonly constraints: readonly EvaluableConstraint[] }>;
}

/** A feature as an SDK gets it. */
export interface EvaluableFeature {
  readonly name: string;
  readonly enabled: boolean;
  readonly strategies?: readonly EvaluableStrategy[];
  readonly variants?: readonly EvaluableVariant[];
  readonly dependencies?: readonly Dependency[];
}

interface EvaluableStrategy {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly constraints?: readonly EvaluableConstraint[];
  readonly variants?: readonly EvaluableVariant[];
  /** The ids of segments. */
  readonly segments?: readonly number[];
}

interface Dependency {
  readonly feature: string;
  readonly enabled?: boolean;
  readonly variants?: readonly string[];
}

/** The result of a feature for a context: one of a few objects, which are the same for all contexts. */
export interface Evaluated<F> {
  readonly feature: F;
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

const variantOfOff = { name: 'disabled', enabled: false, feature_enabled: false, featureEnabled: false };
const withoutVariant = { ...variantOfOff, feature_enabled: true, featureEnabled: true };

/**
 * Evaluates features by the rules of Unleash's client specification, so that the service and the SDKs give the same
 * answers. All that does not depend on a context is read once, here.
 */
export class Evaluation<F extends EvaluableFeature> {
  readonly #all: readonly ReadyFeature<F>[];
  readonly #features: ReadonlyMap<string, ReadyFeature<F>>;

  constructor({ features, segments }: Evaluable<F>) {
    const ofSegments = new Map(
      [...segments].map(([id, { constraints }]) => [id, allHold(constraints.map(conditionOf))]),
    );
    this.#all = features.map((feature) => readyFeature(feature, ofSegments));
    this.#features = new Map(this.#all.map((each) => [each.off.feature.name, each]));
  }

  /** Evaluates one of the features for a context; undefined for one that does not exist. */
  evaluate(name: string, context: EvaluationContext): Evaluated<F> | undefined {
    const found = this.#features.get(name);
    return found && this.#evaluate(found, context);
  }

  /** Evaluates all features for a context, in their order. */
  evaluateAll(context: EvaluationContext): Evaluated<F>[] {
    return this.#all.map((feature) => this.#evaluate(feature, context));
  }

  /** Tells whether the parents of a feature are as it requires. A parent with parents of its own never is. */
  meetsDependencies({ dependencies = [] }: EvaluableFeature, context: EvaluationContext): boolean {
    return dependencies.every(({ feature, enabled: mustBeOn = true, variants = [] }) => {
      const parent = this.#features.get(feature);
      if (parent === undefined || parent.isDependent) return false;
      const { enabled, variant } = this.#evaluate(parent, context);
      if (!mustBeOn) return !enabled;
      return enabled && (variants.length === 0 || variants.includes(variant.name));
    });
  }

  #evaluate(
    { off, on, isDependent, strategies, chooseOwn }: ReadyFeature<F>,
    context: EvaluationContext,
  ): Evaluated<F> {
    if (on === undefined || (isDependent && !this.meetsDependencies(off.feature, context))) return off;
    if (strategies.length === 0) return chooseOwn(context)?.outcome ?? on;
    for (const { isOn, choose } of strategies) {
      if (isOn(context)) return choose(context)?.outcome ?? chooseOwn(context)?.outcome ?? on;
    }
    return off;
  }
}

/** A feature with all that does not depend on a context. */
interface ReadyFeature<F> {
  readonly off: Evaluated<F>;
  /** The result without a variant; undefined where the feature is off for everybody. */
  readonly on: Evaluated<F> | undefined;
  readonly isDependent: boolean;
  readonly strategies: readonly { readonly isOn: ContextCondition; readonly choose: VariantChoice<WithOutcome<F>> }[];
  readonly chooseOwn: VariantChoice<WithOutcome<F>>;
}

interface WithOutcome<F> extends EvaluableVariant {
  readonly outcome: Evaluated<F>;
}

function readyFeature<F extends EvaluableFeature>(feature: F, segments: ReadonlyMap<number, ContextCondition>) {
  const { name, enabled, strategies = [], variants = [], dependencies = [] } = feature;
  return {
    off: { feature, enabled: false, variant: variantOfOff },
    on: enabled ? { feature, enabled, variant: withoutVariant } : undefined,
    isDependent: dependencies.length > 0,
    strategies: strategies.map((strategy) => ({
      isOn: conditionOfStrategy(strategy, segments),
      choose: choiceOfStrategy(strategy.parameters ?? {}, withOutcomes(strategy.variants ?? [], feature)),
    })),
    chooseOwn: choiceOfFeature(name, withOutcomes(variants, feature)),
  };
}

/** One of an unknown type, or with an unknown segment, is never on. */
function conditionOfStrategy(
  { name, parameters = {}, constraints = [], segments = [] }: EvaluableStrategy,
  ofSegments: ReadonlyMap<number, ContextCondition>,
): ContextCondition {
  const never: ContextCondition = () => false;
  return allHold([
    ...constraints.map(conditionOf),
    ...segments.map((id) => ofSegments.get(id) ?? never),
    activationOf(name, parameters) ?? never,
  ]);
}

/** Variants, each with the result of a feature that is on with it. */
function withOutcomes<F>(variants: readonly EvaluableVariant[], feature: F): WithOutcome<F>[] {
  return variants.map((variant) => {
    const { name, payload } = variant;
    const shown = { name, enabled: true, ...(payload && { payload }), feature_enabled: true, featureEnabled: true };
    return { ...variant, outcome: { feature, enabled: true, variant: shown } };
  });
}
