import { buildActivation } from './activation.ts';
import { overBudget } from './budget.ts';
import { buildCondition, type EvaluableConstraint, workOf } from './constraint.ts';
import { allOf, type ContextCondition, cachePerContext, type EvaluationContext } from './context.ts';
import { buildFeatureChoice, buildStrategyChoice, type EvaluableVariant, type VariantChoice } from './variant.ts';

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

/** The result of a feature for a context. Each feature has a few result objects, which all contexts share. */
export interface EvaluationResult<F> {
  readonly feature: F;
  readonly enabled: boolean;
  /** False if the evaluation exceeded the budget of the context; the feature then counts as off. */
  readonly isDecided: boolean;
  readonly variant: VariantResult;
}

/** A variant as the frontend API returns it: `disabled` if the feature is off or has no variant. */
export interface VariantResult {
  readonly name: string;
  readonly enabled: boolean;
  readonly payload?: { readonly type: string; readonly value: string };
  readonly feature_enabled: boolean;
  readonly featureEnabled: boolean;
}

const disabledVariant = { name: 'disabled', enabled: false, feature_enabled: false, featureEnabled: false };
const enabledWithoutVariant = { ...disabledVariant, feature_enabled: true, featureEnabled: true };

/**
 * Evaluates features by the rules of Unleash's client specification, so that the service and the SDKs agree. The constructor
 * prepares everything that does not depend on a context.
 *
 * Each feature is evaluated once for a context, and features that depend on it use that result, so that random choices agree. A
 * feature that exceeds the budget is undecided and off, and so are all features that depend on it. Cheap features
 * are evaluated first, so that an expensive one cannot use up their budget.
 */
export class Evaluation<F extends EvaluableFeature> {
  readonly #all: readonly PreparedFeature<F>[];
  readonly #byName: ReadonlyMap<string, PreparedFeature<F>>;
  readonly #cheapestFirst: readonly PreparedFeature<F>[];

  constructor({ features, segments }: Evaluable<F>) {
    const prepared = new Map([...segments].map(([id, { constraints }]) => [id, prepareSegment(constraints)]));
    this.#all = features.map((feature, index) => prepareFeature(feature, index, prepared));
    this.#byName = new Map(this.#all.map((feature) => [feature.off.feature.name, feature]));
    const work = this.#all.map((feature) => this.#workOf(feature));
    this.#cheapestFirst = this.#all.toSorted((a, b) => (work[a.index] ?? 0) - (work[b.index] ?? 0));
  }

  /** Evaluates a feature for a context; undefined for an unknown feature. */
  evaluate(name: string, context: EvaluationContext): EvaluationResult<F> | undefined {
    const feature = this.#byName.get(name);
    return feature && this.#evaluateOnce(feature, context, []);
  }

  /** Evaluates all features for a context, in their order. */
  evaluateAll(context: EvaluationContext): EvaluationResult<F>[] {
    const results: EvaluationResult<F>[] = new Array(this.#all.length);
    for (const feature of this.#cheapestFirst) this.#evaluateOnce(feature, context, results);
    return results;
  }

  /** @param results the results for the context so far, by the index of the feature. */
  #evaluateOnce(
    feature: PreparedFeature<F>,
    context: EvaluationContext,
    results: EvaluationResult<F>[],
  ): EvaluationResult<F> {
    const cached = results[feature.index];
    if (cached !== undefined) return cached;
    const result = this.#evaluate(feature, context, results);
    results[feature.index] = result;
    return result;
  }

  #evaluate(
    feature: PreparedFeature<F>,
    context: EvaluationContext,
    results: EvaluationResult<F>[],
  ): EvaluationResult<F> {
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

  /** Tells whether the parents of a feature are in the required state. A parent that has parents itself never is. */
  #areMet(
    dependencies: readonly EvaluableDependency[],
    context: EvaluationContext,
    results: EvaluationResult<F>[],
  ): boolean {
    return dependencies.every(({ feature, enabled: mustBeOn = true, variants = [] }) => {
      const parent = this.#byName.get(feature);
      if (parent === undefined || parent.dependencies.length > 0) return false;
      const { enabled, isDecided, variant } = this.#evaluateOnce(parent, context, results);
      if (!isDecided) throw overBudget;
      if (!mustBeOn) return !enabled;
      return enabled && (variants.length === 0 || variants.includes(variant.name));
    });
  }

  /** Returns the work of a feature and its parents for each character of a text. */
  #workOf({ work, dependencies }: PreparedFeature<F>): number {
    return dependencies.reduce((sum, { feature }) => sum + (this.#byName.get(feature)?.work ?? 0), work);
  }
}

/** A feature with everything that can be computed without a context. */
interface PreparedFeature<F> {
  /** The index among all features. */
  readonly index: number;
  readonly off: EvaluationResult<F>;
  /** The result without a variant; undefined if the feature is off for everybody. */
  readonly on: EvaluationResult<F> | undefined;
  readonly undecided: EvaluationResult<F>;
  readonly dependencies: readonly EvaluableDependency[];
  readonly strategies: readonly { readonly isOn: ContextCondition; readonly choose: VariantChoice<WithOutcome<F>> }[];
  readonly chooseOwn: VariantChoice<WithOutcome<F>>;
  /** Nanoseconds that its constraints take at worst for each character of a text. */
  readonly work: number;
}

interface WithOutcome<F> extends EvaluableVariant {
  readonly outcome: EvaluationResult<F>;
}

interface PreparedSegment {
  readonly holds: ContextCondition;
  readonly work: number;
}

/** Prepares a segment, which is evaluated once for a context, however many strategies use it. */
function prepareSegment(constraints: readonly EvaluableConstraint[]): PreparedSegment {
  return { holds: cachePerContext(constraints, allOf(constraints.map(buildCondition))), work: sumWork(constraints) };
}

function sumWork(constraints: readonly EvaluableConstraint[]): number {
  return constraints.reduce((sum, constraint) => sum + workOf(constraint), 0);
}

function prepareFeature<F extends EvaluableFeature>(
  feature: F,
  index: number,
  segments: ReadonlyMap<number, PreparedSegment>,
): PreparedFeature<F> {
  const { name, enabled, strategies = [], variants = [], dependencies = [] } = feature;
  const off = { feature, enabled: false, isDecided: true, variant: disabledVariant };
  return {
    index,
    off,
    on: enabled ? { feature, enabled, isDecided: true, variant: enabledWithoutVariant } : undefined,
    undecided: { ...off, isDecided: false },
    dependencies,
    strategies: strategies.map((strategy) => ({
      isOn: buildStrategyCondition(strategy, segments),
      choose: buildStrategyChoice(strategy.parameters ?? {}, addOutcomes(strategy.variants ?? [], feature)),
    })),
    chooseOwn: buildFeatureChoice(name, addOutcomes(variants, feature)),
    work: strategies.reduce((sum, strategy) => sum + workOfStrategy(strategy, segments), 0),
  };
}

/** Builds the condition of a strategy. With an unknown type or segment, it never holds. */
function buildStrategyCondition(
  { name, parameters = {}, constraints = [], segments: ids = [] }: EvaluableStrategy,
  segments: ReadonlyMap<number, PreparedSegment>,
): ContextCondition {
  const never: ContextCondition = () => false;
  return allOf([
    ...constraints.map(buildCondition),
    ...ids.map((id) => segments.get(id)?.holds ?? never),
    buildActivation(name, parameters) ?? never,
  ]);
}

function workOfStrategy(
  { constraints = [], segments: ids = [] }: EvaluableStrategy,
  segments: ReadonlyMap<number, PreparedSegment>,
): number {
  return ids.reduce((sum, id) => sum + (segments.get(id)?.work ?? 0), sumWork(constraints));
}

/** Adds to each variant the result of a feature that is on with this variant. */
function addOutcomes<F>(variants: readonly EvaluableVariant[], feature: F): WithOutcome<F>[] {
  return variants.map((variant) => {
    const { name, payload } = variant;
    const shown = { name, enabled: true, ...(payload && { payload }), feature_enabled: true, featureEnabled: true };
    return { ...variant, outcome: { feature, enabled: true, isDecided: true, variant: shown } };
  });
}
