import { activationOf } from './activation.ts';
import { overBudget } from './budget.ts';
import { conditionOf, type EvaluableConstraint, workOf } from './constraint.ts';
import { allHold, type ContextCondition, type EvaluationContext, onceForContext } from './context.ts';
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
  readonly dependencies?: readonly EvaluableDependency[];
}

interface EvaluableStrategy {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly constraints?: readonly EvaluableConstraint[];
  readonly variants?: readonly EvaluableVariant[];
  /** The ids of segments. */
  readonly segments?: readonly number[];
}

/** A condition on another feature. */
export interface EvaluableDependency {
  readonly feature: string;
  readonly enabled?: boolean;
  readonly variants?: readonly string[];
}

/** The result of a feature for a context: one of a few objects, which are the same for all contexts. */
export interface Evaluated<F> {
  readonly feature: F;
  readonly enabled: boolean;
  /** False where that would have taken more work than the context had left; the feature counts as off then. */
  readonly isDecided: boolean;
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
 *
 * Each feature is evaluated once for a context, and features that depend on it take that result: a random choice is the same
 * for all of them. One that takes more work than the context has left is not decided, nor are those that depend on it, and so
 * none is on by mistake. Those that take the least are evaluated first, so that none keeps a lighter one from being decided.
 */
export class Evaluation<F extends EvaluableFeature> {
  readonly #all: readonly ReadyFeature<F>[];
  readonly #byName: ReadonlyMap<string, ReadyFeature<F>>;
  readonly #lightFirst: readonly ReadyFeature<F>[];

  constructor({ features, segments }: Evaluable<F>) {
    const ready = new Map([...segments].map(([id, { constraints }]) => [id, readySegment(constraints)]));
    this.#all = features.map((feature, index) => readyFeature(feature, index, ready));
    this.#byName = new Map(this.#all.map((each) => [each.off.feature.name, each]));
    const work = this.#all.map((each) => this.#workOf(each));
    this.#lightFirst = this.#all.toSorted((a, b) => (work[a.index] ?? 0) - (work[b.index] ?? 0));
  }

  /** Evaluates one of the features for a context; undefined for one that does not exist. */
  evaluate(name: string, context: EvaluationContext): Evaluated<F> | undefined {
    const found = this.#byName.get(name);
    return found && this.#resultOf(found, context, []);
  }

  /** Evaluates all features for a context, in their order. */
  evaluateAll(context: EvaluationContext): Evaluated<F>[] {
    const results: Evaluated<F>[] = new Array(this.#all.length);
    for (const feature of this.#lightFirst) this.#resultOf(feature, context, results);
    return results;
  }

  /** @param results those of the context so far, by the index of the feature. */
  #resultOf(feature: ReadyFeature<F>, context: EvaluationContext, results: Evaluated<F>[]): Evaluated<F> {
    const known = results[feature.index];
    if (known !== undefined) return known;
    const result = this.#evaluate(feature, context, results);
    results[feature.index] = result;
    return result;
  }

  #evaluate(feature: ReadyFeature<F>, context: EvaluationContext, results: Evaluated<F>[]): Evaluated<F> {
    const { off, on, undecided, dependencies, strategies, chooseOwn } = feature;
    if (on === undefined) return off;
    try {
      if (dependencies.length > 0 && !this.#areMet(dependencies, context, results)) return off;
      if (strategies.length === 0) return chooseOwn(context)?.outcome ?? on;
      for (const { isOn, choose } of strategies) {
        if (isOn(context)) return choose(context)?.outcome ?? chooseOwn(context)?.outcome ?? on;
      }
      return off;
    } catch (error) {
      if (error !== overBudget) throw error;
      return undecided;
    }
  }

  /** Tells whether the parents of a feature are as it requires. A parent with parents of its own never is. */
  #areMet(dependencies: readonly EvaluableDependency[], context: EvaluationContext, results: Evaluated<F>[]): boolean {
    return dependencies.every(({ feature, enabled: mustBeOn = true, variants = [] }) => {
      const parent = this.#byName.get(feature);
      if (parent === undefined || parent.dependencies.length > 0) return false;
      const { enabled, isDecided, variant } = this.#resultOf(parent, context, results);
      if (!isDecided) throw overBudget;
      if (!mustBeOn) return !enabled;
      return enabled && (variants.length === 0 || variants.includes(variant.name));
    });
  }

  /** Returns the work of a feature and its parents, for each character of a text. */
  #workOf({ work, dependencies }: ReadyFeature<F>): number {
    return dependencies.reduce((sum, { feature }) => sum + (this.#byName.get(feature)?.work ?? 0), work);
  }
}

/** A feature with all that does not depend on a context. */
interface ReadyFeature<F> {
  /** Its place among all features. */
  readonly index: number;
  readonly off: Evaluated<F>;
  /** The result without a variant; undefined where the feature is off for everybody. */
  readonly on: Evaluated<F> | undefined;
  readonly undecided: Evaluated<F>;
  readonly dependencies: readonly EvaluableDependency[];
  readonly strategies: readonly { readonly isOn: ContextCondition; readonly choose: VariantChoice<WithOutcome<F>> }[];
  readonly chooseOwn: VariantChoice<WithOutcome<F>>;
  /** The nanoseconds that its constraints take at worst for each character of a text. */
  readonly work: number;
}

interface WithOutcome<F> extends EvaluableVariant {
  readonly outcome: Evaluated<F>;
}

interface ReadySegment {
  readonly holds: ContextCondition;
  readonly work: number;
}

/** A segment is evaluated once for a context, however many strategies use it. */
function readySegment(constraints: readonly EvaluableConstraint[]): ReadySegment {
  return { holds: onceForContext(constraints, allHold(constraints.map(conditionOf))), work: workOfAll(constraints) };
}

function workOfAll(constraints: readonly EvaluableConstraint[]): number {
  return constraints.reduce((sum, constraint) => sum + workOf(constraint), 0);
}

function readyFeature<F extends EvaluableFeature>(
  feature: F,
  index: number,
  ofSegments: ReadonlyMap<number, ReadySegment>,
): ReadyFeature<F> {
  const { name, enabled, strategies = [], variants = [], dependencies = [] } = feature;
  const off = { feature, enabled: false, isDecided: true, variant: variantOfOff };
  return {
    index,
    off,
    on: enabled ? { feature, enabled, isDecided: true, variant: withoutVariant } : undefined,
    undecided: { ...off, isDecided: false },
    dependencies,
    strategies: strategies.map((strategy) => ({
      isOn: conditionOfStrategy(strategy, ofSegments),
      choose: choiceOfStrategy(strategy.parameters ?? {}, withOutcomes(strategy.variants ?? [], feature)),
    })),
    chooseOwn: choiceOfFeature(name, withOutcomes(variants, feature)),
    work: strategies.reduce((sum, strategy) => sum + workOfStrategy(strategy, ofSegments), 0),
  };
}

/** One of an unknown type, or with an unknown segment, is never on. */
function conditionOfStrategy(
  { name, parameters = {}, constraints = [], segments = [] }: EvaluableStrategy,
  ofSegments: ReadonlyMap<number, ReadySegment>,
): ContextCondition {
  const never: ContextCondition = () => false;
  return allHold([
    ...constraints.map(conditionOf),
    ...segments.map((id) => ofSegments.get(id)?.holds ?? never),
    activationOf(name, parameters) ?? never,
  ]);
}

function workOfStrategy(
  { constraints = [], segments = [] }: EvaluableStrategy,
  ofSegments: ReadonlyMap<number, ReadySegment>,
): number {
  return segments.reduce((sum, id) => sum + (ofSegments.get(id)?.work ?? 0), workOfAll(constraints));
}

/** Variants, each with the result of a feature that is on with it. */
function withOutcomes<F>(variants: readonly EvaluableVariant[], feature: F): WithOutcome<F>[] {
  return variants.map((variant) => {
    const { name, payload } = variant;
    const shown = { name, enabled: true, ...(payload && { payload }), feature_enabled: true, featureEnabled: true };
    return { ...variant, outcome: { feature, enabled: true, isDecided: true, variant: shown } };
  });
}
