import type { FeatureVariant, StrategyVariant } from '../../features/environments/variant-schema.ts';
import type { FeatureEnvironment } from '../../features/feature.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { Strategy } from '../../features/strategies/strategy-schema.ts';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { onceFor } from '../../values/memory.ts';
import { activationOf, byHost } from './activation.ts';
import { conditionOf } from './constraint.ts';
import type { EvaluationContext } from './context.ts';
import type { EvaluableDependency } from './evaluation.ts';
import { choiceOfFeature, choiceOfStrategy } from './variant.ts';

/** The part of features and segments that an explanation reads. */
export interface Explainable<F extends ExplainableFeature> {
  readonly features: readonly F[];
  readonly segments: ReadonlyMap<number, ExplainableSegment>;
}

/** A feature with all its strategies, those that are disabled as well, in their order. */
export interface ExplainableFeature extends FeatureEnvironment {
  readonly name: string;
  readonly dependencies: readonly EvaluableDependency[];
}

type ExplainableSegment = Pick<ShownSegment, 'id' | 'name' | 'constraints'>;

export type ExplainedConstraint = Constraint & { readonly inverted: boolean; readonly result: boolean };

export interface ExplainedSegment extends Omit<ExplainableSegment, 'constraints'> {
  readonly result: boolean;
  readonly constraints: readonly ExplainedConstraint[];
}

interface ChosenVariant {
  readonly name: string;
  readonly enabled: boolean;
  readonly payload?: NonNullable<FeatureVariant['payload']>;
}

/** Of a strategy type that is the application's own, only the constraints and segments can be evaluated here. */
export type StrategyResult =
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
export interface Explained {
  readonly isEnabled: boolean;
  readonly hasUnsatisfiedDependency: boolean;
  /** The combined result of the strategies. */
  readonly result: boolean | 'unknown';
  readonly strategies: readonly ExplainedStrategy[];
  /** `disabled` where the feature is off or has none. */
  readonly variant: ChosenVariant;
  /** Those of which the variant was chosen. */
  readonly variants: readonly (FeatureVariant | StrategyVariant)[];
}

const noVariant: ChosenVariant = { name: 'disabled', enabled: false };

/**
 * Explains step by step how features are evaluated. Each step is taken once for a context, so that random choices are the
 * same in the explanation, in the result, and in those of the features that depend on it.
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
   * @throws Error where that takes more work than the context has left.
   */
  explainAll(context: EvaluationContext): (Explained & { readonly feature: F })[] {
    const explained = new Map<F, Explained>();
    return [...this.#features.values()].map((feature) => ({
      feature,
      ...this.#explainOnce(feature, context, explained),
    }));
  }

  /** @param explained the features that are explained for the context already. */
  #explainOnce(feature: F, context: EvaluationContext, explained: Map<F, Explained>): Explained {
    const known = explained.get(feature);
    if (known !== undefined) return known;
    const areMet = feature.dependencies.every((dependency) => this.#isMet(dependency, context, explained));
    const made = this.#explain(feature, context, !areMet);
    explained.set(feature, made);
    return made;
  }

  /** Tells whether the parent of a feature is as it requires. A parent with parents of its own never is. */
  #isMet(
    { feature, enabled: mustBeOn = true, variants = [] }: EvaluableDependency,
    context: EvaluationContext,
    explained: Map<F, Explained>,
  ): boolean {
    const parent = this.#features.get(feature);
    if (parent === undefined || parent.dependencies.length > 0) return false;
    const { isEnabled, variant } = this.#explainOnce(parent, context, explained);
    if (!mustBeOn) return !isEnabled;
    return isEnabled && (variants.length === 0 || variants.includes(variant.name));
  }

  #explain(feature: F, context: EvaluationContext, hasUnsatisfiedDependency: boolean): Explained {
    const strategies = feature.strategies.map((strategy) => this.#explainStrategy(strategy, context));
    const decisive = strategies.find(({ result }) => result.enabled === true)?.result;
    const result = strategies.length === 0 ? feature.enabled : togetherOf(strategies);
    const isEnabled = result === true && feature.enabled && !hasUnsatisfiedDependency;
    const own = decisive?.evaluationStatus === 'complete' ? decisive : undefined;
    const chooseOwn = () => shown(choiceOfFeature(feature.name, feature.variants)(context));
    return {
      isEnabled,
      hasUnsatisfiedDependency,
      result,
      strategies,
      variant: (isEnabled && (own?.variant ?? chooseOwn())) || noVariant,
      variants: own?.variants ?? feature.variants,
    };
  }

  #explainStrategy(strategy: Strategy, context: EvaluationContext): ExplainedStrategy {
    const constraints = explainConstraints(strategy.constraints, context);
    const segments = strategy.segments.map((id): ExplainedSegment => {
      const segment = this.#segments.get(id);
      // As in an evaluation, one that is not there never holds.
      if (segment === undefined) return { id, name: '', result: false, constraints: [] };
      const explained = explainConstraints(segment.constraints, context);
      return { id, name: segment.name, result: allHold(explained), constraints: explained };
    });
    const isTargeted = allHold(constraints) && segments.every(({ result }) => result);
    return { strategy, result: resultOf(strategy, isTargeted, context), constraints, segments };
  }
}

function resultOf(strategy: Strategy, isTargeted: boolean, context: EvaluationContext): StrategyResult {
  const { name, parameters, variants } = strategy;
  if (strategy.disabled) return { evaluationStatus: 'unevaluated', enabled: 'unknown' };
  // The host of the application is unknown here.
  const activation = name === byHost ? undefined : activationOf(name, parameters);
  if (activation === undefined) return { evaluationStatus: 'incomplete', enabled: isTargeted ? 'unknown' : false };
  const enabled = activation(context) && isTargeted;
  const variant = shown(choiceOfStrategy(parameters, variants)(context));
  return { evaluationStatus: 'complete', enabled, ...(variant && { variant, variants }) };
}

/** One that holds is enough; otherwise one of which it is unknown leaves it open. */
function togetherOf(strategies: readonly ExplainedStrategy[]): boolean | 'unknown' {
  const results = strategies.map(({ result }) => result.enabled);
  return results.includes(true) || (results.includes('unknown') && 'unknown');
}

function shown(variant: FeatureVariant | StrategyVariant | undefined): ChosenVariant | undefined {
  if (variant === undefined) return undefined;
  const { name, payload } = variant;
  return { name, enabled: true, ...(payload && { payload }) };
}

/** The condition of a constraint, which is read once for all contexts. */
const readConstraint = onceFor(conditionOf);

function explainConstraints(constraints: readonly Constraint[], context: EvaluationContext): ExplainedConstraint[] {
  return constraints.map((constraint) => ({
    inverted: false,
    ...constraint,
    result: readConstraint(constraint)(context),
  }));
}

function allHold(constraints: readonly ExplainedConstraint[]): boolean {
  return constraints.every(({ result }) => result);
}
