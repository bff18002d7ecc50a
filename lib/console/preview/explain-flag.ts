import { type ExplainableFeature, Explanation, type ExplanationResult } from '../../delivery/evaluation/explanation.ts';
import { listLive } from '../../delivery/preview/live-strategies.ts';
import { buildTypedContext, type TypedContext } from '../../delivery/preview/typed-context.ts';
import type { FeatureEnvironmentView, FeatureView } from '../../features/feature-schema.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { Strategy } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { loadExpressions } from './stand-ins/re2.ts';

/** The parts of a flag that decide who gets it. */
export type ExplainedFlag = Pick<ConsoleFlag, 'feature' | 'segments' | 'parents'>;

/**
 * Explains who gets a flag and why, by the code with which the service evaluates flags.
 * @throws Error if the conditions take more work than a request may.
 */
export async function explainFlag(
  { feature, segments, parents }: ExplainedFlag,
  environment: string,
  typed: TypedContext,
): Promise<ExplanationResult | undefined> {
  const conditions = [feature, ...parents].flatMap(constraintsOf);
  if ([...conditions, ...segments.flatMap(({ constraints }) => constraints)].some(isExpression))
    await loadExpressions();
  const features = [feature, ...parents].flatMap((each) => toExplainable(each, environment));
  const explanation = new Explanation({
    features,
    segments: new Map(segments.map((segment) => [segment.id, segment])),
  });
  return explanation.explainAll(buildTypedContext(typed)).find(({ feature: { name } }) => name === feature.name);
}

function constraintsOf({ environments }: FeatureView): Constraint[] {
  return environments.flatMap((each) => listLive(each).flatMap(({ constraints }) => constraints));
}

const isExpression = ({ operator }: Constraint) => operator === 'REGEX';

function toExplainable({ name, dependencies, environments }: FeatureView, environment: string): ExplainableFeature[] {
  const state = environments.find((each) => each.name === environment);
  return state === undefined ? [] : [{ name, dependencies, ...toEnvironment(name, state) }];
}

function toEnvironment(featureName: string, state: FeatureEnvironmentView) {
  const strategies = listLive(state).map((strategy): Strategy => ({ ...strategy, featureName }));
  return { enabled: state.enabled, strategies, variants: state.variants };
}
