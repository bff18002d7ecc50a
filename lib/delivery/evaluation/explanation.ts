import client from 'unleash-client/lib/client.js';
import type { FeatureInterface } from 'unleash-client/lib/feature.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import type { Constraint as EngineConstraint } from 'unleash-client/lib/strategy/strategy.js';
import { selectVariantDefinition, type VariantDefinition } from 'unleash-client/lib/variant.js';
import type { FeatureVariant, StrategyVariant } from '../../features/environments/variant-schema.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { Strategy } from '../../features/strategies/strategy-schema.ts';
import type { EvaluationContext } from './context.ts';
import type { EvaluableFeature } from './evaluation.ts';

/** The part of features and segments that an explanation reads. */
export interface Explainable {
  readonly features: readonly ExplainableFeature[];
  readonly segments: ReadonlyMap<number, ExplainableSegment>;
}

/** A feature with all its strategies, those that are disabled as well, in their order. */
export interface ExplainableFeature {
  readonly name: string;
  readonly enabled: boolean;
  readonly strategies: readonly Strategy[];
  readonly variants: readonly FeatureVariant[];
  /** The same feature as SDKs get it, which decides for the features that depend on it. */
  readonly delivered: EvaluableFeature;
}

interface ExplainableSegment {
  readonly id: number;
  readonly name: string;
  readonly constraints: readonly Constraint[];
}

export type ExplainedConstraint = Constraint & { readonly inverted: boolean; readonly result: boolean };

export interface ExplainedSegment {
  readonly id: number;
  readonly name: string;
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

/** The strategy type that depends on the host of the application, which is unknown here. */
const unknownHere = 'applicationHostname';
const rules = new Map(defaultStrategies.flatMap((rule) => (rule.name === unknownHere ? [] : [[rule.name, rule]])));
const noVariant: ChosenVariant = { name: 'disabled', enabled: false };
/** Constraints are checked alike by every strategy type. */
const [checker] = defaultStrategies;

/**
 * Explains step by step how the engine of the official Node SDK evaluates a feature. Each step is taken once, so that
 * random choices are the same in the explanation and in the result.
 */
export class Explanation {
  readonly #features: ReadonlyMap<string, ExplainableFeature>;
  readonly #segments: Explainable['segments'];
  readonly #client: InstanceType<typeof client.default>;

  constructor({ features, segments }: Explainable) {
    this.#features = new Map(features.map((feature) => [feature.name, feature]));
    this.#segments = segments;
    const repository = {
      getToggle: (name: string) => this.#features.get(name)?.delivered,
      getSegment: (id: number) => segments.get(id),
    };
    // Of a repository the engine uses these two.
    this.#client = new client.default(repository as never, defaultStrategies);
  }

  explain(feature: ExplainableFeature, context: EvaluationContext): Explained {
    const strategies = feature.strategies.map((strategy) => this.#explainStrategy(strategy, context));
    const decisive = strategies.find(({ result }) => result.enabled === true)?.result;
    const result = strategies.length === 0 ? feature.enabled : togetherOf(strategies);
    const delivered = feature.delivered as unknown as FeatureInterface;
    const hasUnsatisfiedDependency = !this.#client.isParentDependencySatisfied(delivered, context as never);
    const isEnabled = result === true && feature.enabled && !hasUnsatisfiedDependency;
    const own = decisive?.evaluationStatus === 'complete' ? decisive : undefined;
    return {
      isEnabled,
      hasUnsatisfiedDependency,
      result,
      strategies,
      variant: (isEnabled && (own?.variant ?? choose(feature.name, undefined, feature.variants, context))) || noVariant,
      variants: own?.variants ?? feature.variants,
    };
  }

  #explainStrategy(strategy: Strategy, context: EvaluationContext): ExplainedStrategy {
    const constraints = explainConstraints(strategy.constraints, context);
    const segments = strategy.segments.map((id): ExplainedSegment => {
      const segment = this.#segments.get(id);
      // As for the engine, one that is not there never holds.
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
  const rule = rules.get(name);
  if (rule === undefined) return { evaluationStatus: 'incomplete', enabled: isTargeted ? 'unknown' : false };
  const enabled = rule.isEnabled(parameters, context as never) && isTargeted;
  const variant = choose(parameters.groupId ?? '', variants[0]?.stickiness || parameters.stickiness, variants, context);
  return { evaluationStatus: 'complete', enabled, ...(variant && { variant, variants }) };
}

/** One that holds is enough; otherwise one of which it is unknown leaves it open. */
function togetherOf(strategies: readonly ExplainedStrategy[]): boolean | 'unknown' {
  const results = strategies.map(({ result }) => result.enabled);
  return results.includes(true) || (results.includes('unknown') && 'unknown');
}

function choose(
  groupId: string,
  stickiness: string | undefined,
  variants: readonly (FeatureVariant | StrategyVariant)[],
  context: EvaluationContext,
): ChosenVariant | undefined {
  const [first] = variants;
  if (first === undefined) return undefined;
  const found = selectVariantDefinition(
    groupId,
    stickiness ?? first.stickiness,
    variants as unknown as VariantDefinition[],
    context as never,
  ) as FeatureVariant | null;
  return found === null
    ? undefined
    : { name: found.name, enabled: true, ...(found.payload && { payload: found.payload }) };
}

function explainConstraints(constraints: readonly Constraint[], context: EvaluationContext): ExplainedConstraint[] {
  return constraints.map((constraint) => {
    const sent = { inverted: false, ...constraint };
    return { ...sent, result: checker?.checkConstraint(sent as EngineConstraint, context as never) ?? false };
  });
}

function allHold(constraints: readonly ExplainedConstraint[]): boolean {
  return constraints.every(({ result }) => result);
}
