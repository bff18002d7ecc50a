import type { FeatureEnvironment } from '../../features/environments/feature-environment.ts';
import type { FeatureVariant, StrategyVariant } from '../../features/environments/variant-schema.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { Strategy } from '../../features/strategies/strategy-schema.ts';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { cachePerObject } from '../../values/cache.ts';
import { buildActivation, hostStrategy } from './activation.ts';
import { buildCondition } from './constraint.ts';
import type { EvaluationContext } from './context.ts';
import type { EvaluableDependency } from './evaluation.ts';
import { buildFeatureChoice, buildStrategyChoice } from './variant.ts';

/** The part of features and segments that an explanation reads. */
export interface Explainable<F extends ExplainableFeature> {
  readonly features: readonly F[];
  readonly segments: ReadonlyMap<number, ExplainableSegment>;
}

/** A feature with all its strategies in their order, including disabled ones. */
export interface ExplainableFeature extends FeatureEnvironment {
  readonly name: string;
  readonly dependencies: readonly EvaluableDependency[];
}

type ExplainableSegment = Pick<ShownSegment, 'id' | 'name' | 'constraints'>;

type ExplainedConstraint = Constraint & { readonly inverted: boolean; readonly result: boolean };

interface ExplainedSegment extends Omit<ExplainableSegment, 'constraints'> {
  readonly result: boolean;
  readonly constraints: readonly ExplainedConstraint[];
}

interface ChosenVariant {
  readonly name: string;
  readonly enabled: boolean;
  readonly payload?: NonNullable<FeatureVariant['payload']>;
}

/** The result of a strategy. Of a custom type, only constraints and segments can be evaluated here. */
type StrategyResult =
  | {
      readonly evaluationStatus: 'complete';
      readonly enabled: boolean;
      readonly variant?: ChosenVariant;
      readonly variants?: readonly StrategyVariant[];
    }
  | { readonly evaluationStatus: 'incomplete'; readonly enabled: false | 'unknown' }
  | { readonly evaluationStatus: 'unevaluated'; readonly enabled: 'unknown' };

export interface ExplainedStrategy {
  readonly strategy: Strategy;
  readonly result: StrategyResult;
  readonly constraints: readonly ExplainedConstraint[];
  readonly segments: readonly ExplainedSegment[];
}

/** The result of a feature for a context, with its reasons. */
export interface ExplanationResult {
  readonly isEnabled: boolean;
  readonly hasUnsatisfiedDependency: boolean;
  /** The combined result of the strategies. */
  readonly result: boolean | 'unknown';
  readonly strategies: readonly ExplainedStrategy[];
  /** `disabled` if the feature is off or has no variant. */
  readonly variant: ChosenVariant;
  /** The variants among which the variant was chosen. */
  readonly variants: readonly (FeatureVariant | StrategyVariant)[];
}

const noVariant: ChosenVariant = { name: 'disabled', enabled: false };

/**
 * Explains how features are evaluated. Each feature is evaluated once for a context, so that random choices are the same in its
 * explanation, in its result, and in the results of features that depend on it.
 */
export class Explanation<F extends ExplainableFeature> {
  readonly #segments: Explainable<F>['segments'];
  readonly #features: ReadonlyMap<string, F>;

  constructor({ features, segments }: Explainable<F>) {
    this.#segments = segments;
    this.#features = new Map(features.map((feature) => [feature.name, feature]));
  }

  /**
   * Explains all features for a context, in their order.
   * @throws Error if the budget of the context does not suffice.
   */
  explainAll(context: EvaluationContext): (ExplanationResult & { readonly feature: F })[] {
    const results = new Map<F, ExplanationResult>();
    return [...this.#features.values()].map((feature) => ({
      feature,
      ...this.#explainOnce(feature, context, results),
    }));
  }

  /** @param results the results for the context so far. */
  #explainOnce(feature: F, context: EvaluationContext, results: Map<F, ExplanationResult>): ExplanationResult {
    const cached = results.get(feature);
    if (cached !== undefined) return cached;
    const areMet = feature.dependencies.every((dependency) => this.#isMet(dependency, context, results));
    const result = this.#explain(feature, context, !areMet);
    results.set(feature, result);
    return result;
  }

  /** Tells whether the parent of a feature is in the required state. A parent that has parents itself never is. */
  #isMet(
    { feature, enabled: mustBeOn = true, variants = [] }: EvaluableDependency,
    context: EvaluationContext,
    results: Map<F, ExplanationResult>,
  ): boolean {
    const parent = this.#features.get(feature);
    if (parent === undefined || parent.dependencies.length > 0) return false;
    const { isEnabled, variant } = this.#explainOnce(parent, context, results);
    if (!mustBeOn) return !isEnabled;
    return isEnabled && (variants.length === 0 || variants.includes(variant.name));
  }

  #explain(feature: F, context: EvaluationContext, hasUnsatisfiedDependency: boolean): ExplanationResult {
    const strategies = feature.strategies.map((strategy) => this.#explainStrategy(strategy, context));
    const decisive = strategies.find(({ result }) => result.enabled === true)?.result;
    const result = strategies.length === 0 ? feature.enabled : combineResults(strategies);
    const isEnabled = result === true && feature.enabled && !hasUnsatisfiedDependency;
    const strategy = decisive?.evaluationStatus === 'complete' ? decisive : undefined;
    const chooseOwnVariant = () => toChosenVariant(buildFeatureChoice(feature.name, feature.variants)(context));
    return {
      isEnabled,
      hasUnsatisfiedDependency,
      result,
      strategies,
      variant: (isEnabled && (strategy?.variant ?? chooseOwnVariant())) || noVariant,
      variants: strategy?.variants ?? feature.variants,
    };
  }

  #explainStrategy(strategy: Strategy, context: EvaluationContext): ExplainedStrategy {
    const constraints = explainConstraints(strategy.constraints, context);
    const segments = strategy.segments.map((id): ExplainedSegment => {
      const segment = this.#segments.get(id);
      // A segment that does not exist never holds, as in an evaluation.
      if (segment === undefined) return { id, name: '', result: false, constraints: [] };
      const explained = explainConstraints(segment.constraints, context);
      return { id, name: segment.name, result: areAllTrue(explained), constraints: explained };
    });
    const isTargeted = areAllTrue(constraints) && segments.every(({ result }) => result);
    return { strategy, result: resultOf(strategy, isTargeted, context), constraints, segments };
  }
}

function resultOf(strategy: Strategy, isTargeted: boolean, context: EvaluationContext): StrategyResult {
  const { name, parameters, variants } = strategy;
  if (strategy.disabled) return { evaluationStatus: 'unevaluated', enabled: 'unknown' };
  // The host on which the application runs is unknown here.
  const activation = name === hostStrategy ? undefined : buildActivation(name, parameters);
  if (activation === undefined) return { evaluationStatus: 'incomplete', enabled: isTargeted ? 'unknown' : false };
  const enabled = activation(context) && isTargeted;
  const variant = toChosenVariant(buildStrategyChoice(parameters, variants)(context));
  return { evaluationStatus: 'complete', enabled, ...(variant && { variant, variants }) };
}

/** Combines the results of strategies: true if one is true, else unknown if one is unknown. */
function combineResults(strategies: readonly ExplainedStrategy[]): boolean | 'unknown' {
  const results = strategies.map(({ result }) => result.enabled);
  return results.includes(true) || (results.includes('unknown') && 'unknown');
}

function toChosenVariant(variant: FeatureVariant | StrategyVariant | undefined): ChosenVariant | undefined {
  if (variant === undefined) return undefined;
  const { name, payload } = variant;
  return { name, enabled: true, ...(payload && { payload }) };
}

/** Builds the condition of a constraint once for all contexts. */
const buildConditionOnce = cachePerObject(buildCondition);

function explainConstraints(constraints: readonly Constraint[], context: EvaluationContext): ExplainedConstraint[] {
  return constraints.map((constraint) => ({
    inverted: false,
    ...constraint,
    result: buildConditionOnce(constraint)(context),
  }));
}

function areAllTrue(constraints: readonly ExplainedConstraint[]): boolean {
  return constraints.every(({ result }) => result);
}
