import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkBudget } from '../../../../lib/delivery/evaluation/budget.ts';
import { buildContext } from '../../../../lib/delivery/evaluation/context.ts';
import {
  type EvaluableFeature,
  Evaluation,
  type EvaluationResult,
} from '../../../../lib/delivery/evaluation/evaluation.ts';
import { Explanation } from '../../../../lib/delivery/evaluation/explanation.ts';
import type { Constraint } from '../../../../lib/features/strategies/constraint-schema.ts';

const stickinesses = ['default', 'userId', 'sessionId', 'plan', 'random'] as const;
const percentage = fc.constantFrom('0', '50', '100');

const constraint: fc.Arbitrary<Constraint> = fc.oneof(
  fc.record({
    contextName: fc.constantFrom('userId', 'plan', 'sessionId'),
    operator: fc.constantFrom('IN', 'NOT_IN', 'STR_CONTAINS'),
    values: fc.constant(['ann', 'paid'] as string[]),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constantFrom('userId', 'plan'),
    operator: fc.constant('REGEX'),
    value: fc.constantFrom('^a', '[ab]*[ab]{50}[cd]', '(?:paid|free)$'),
    values: fc.constant([] as string[]),
    inverted: fc.boolean(),
  }),
);

const variants = (stickiness: fc.Arbitrary<string>) =>
  stickiness.chain((each) =>
    fc.constantFrom([], ['one'], ['one', 'two']).map((names) =>
      names.map((name) => ({
        ...{ name, weight: 1_000 / names.length, weightType: 'variable' as const, stickiness: each },
      })),
    ),
  );

function featuresWith(stickiness: fc.Arbitrary<string>, types: readonly string[]) {
  const strategy = fc.record({
    ...{ id: fc.constant('id'), title: fc.constant(null), disabled: fc.constant(false), sortOrder: fc.constant(0) },
    featureName: fc.constant('flag'),
    name: fc.constantFrom('default', 'flexibleRollout', 'flexibleRollout', 'flexibleRollout', ...types),
    parameters: fc.record({
      ...{ rollout: percentage, percentage, stickiness },
      groupId: fc.constantFrom('a', 'b'),
    }),
    constraints: fc.array(constraint, { maxLength: 2 }),
    segments: fc.subarray([1, 2], { maxLength: 1 }),
    variants: variants(stickiness),
  });
  const dependency = fc.record(
    {
      feature: fc.constantFrom('flag-0', 'flag-1', 'flag-2', 'flag-3', 'missing'),
      enabled: fc.boolean(),
      variants: fc.subarray(['one', 'two']),
    },
    { requiredKeys: ['feature'] },
  );
  const content = (dependenciesMax: number) =>
    fc.record({
      enabled: fc.constantFrom(true, true, true, false),
      strategies: fc.array(strategy, { maxLength: 3 }),
      variants: variants(stickiness).map((all) => all.map((each) => ({ ...each, overrides: [] }))),
      dependencies: fc.array(dependency, { maxLength: dependenciesMax }),
    });
  return fc
    .tuple(content(0), content(0), content(0), content(2), content(2), content(2))
    .map((all) => all.map((feature, index) => ({ name: `flag-${index}`, ...feature })));
}

const segments = fc
  .array(fc.array(constraint, { maxLength: 2 }), { minLength: 2, maxLength: 2 })
  .map((all) => new Map(all.map((constraints, index) => [index + 1, { id: index + 1, name: 'some', constraints }])));

const ids = fc.record(
  {
    userId: fc.constantFrom('ann', 'bob', 'a'.repeat(300)),
    sessionId: fc.constantFrom('s-1', 's-2'),
    plan: fc.constantFrom('paid', 'free'),
  },
  { requiredKeys: [] },
);

interface Result {
  readonly isOn: boolean;
  readonly isDecided: boolean;
  readonly variant: string;
}

/** Returns the features that are on although a feature that they depend on is not as they require, by the same results. */
function contradictions(features: readonly EvaluableFeature[], results: ReadonlyMap<string, Result>): string[] {
  const parents = new Map(features.map((feature) => [feature.name, feature]));
  const isMet = ({
    feature,
    enabled = true,
    variants: wanted = [],
  }: NonNullable<EvaluableFeature['dependencies']>[0]) => {
    const parent = parents.get(feature);
    const result = results.get(feature);
    if (parent === undefined || result === undefined || parent.dependencies?.length !== 0) return false;
    if (!result.isDecided) return false;
    return enabled ? result.isOn && (wanted.length === 0 || wanted.includes(result.variant)) : !result.isOn;
  };
  return features
    .filter(({ name, dependencies = [] }) => results.get(name)?.isOn && !dependencies.every(isMet))
    .map(({ name }) => name);
}

const resultsOf = (all: readonly EvaluationResult<EvaluableFeature>[]) =>
  new Map(
    all.map(({ feature, enabled, isDecided, variant }) => [
      feature.name,
      { isOn: enabled, isDecided, variant: variant.name },
    ]),
  );

const work = fc.constantFrom(0, 10_000, 1_000_000, Number.POSITIVE_INFINITY);

test('No response has a feature on while its parent is off, whatever the stickiness and the budget', () => {
  const features = featuresWith(fc.constantFrom(...stickinesses), [
    ...['gradualRolloutRandom', 'gradualRolloutSessionId', 'gradualRolloutUserId', 'own'],
  ]);
  const agreeing = fc.property(features, segments, ids, work, (all, ofSegments, { plan, ...texts }, most) => {
    const sent = { texts, properties: plan === undefined ? {} : { plan } };
    const evaluation = new Evaluation<EvaluableFeature>({ features: all, segments: ofSegments });
    const explanation = new Explanation({ features: all, segments: ofSegments });
    for (let repetition = 0; repetition < 4; repetition += 1) {
      const results = resultsOf(evaluation.evaluateAll(buildContext(sent, new WorkBudget(most))));
      expect(contradictions(all, results)).toEqual([]);
      const explained = explanation.explainAll(buildContext(sent));
      const reasons = explained.map(
        ({ feature, isEnabled, variant }) =>
          [feature.name, { isOn: isEnabled, isDecided: true, variant: variant.name }] as const,
      );
      expect(contradictions(all, new Map(reasons))).toEqual([]);
    }
  });
  fc.assert(agreeing, { numRuns: 500 });
});

test('Undecided features are off, and decided ones are the same as with an unlimited budget', () => {
  const features = featuresWith(fc.constantFrom('default', 'userId', 'sessionId', 'plan'), ['gradualRolloutUserId']);
  const everyId = ids.map((some) => ({ userId: 'ann', sessionId: 's-1', plan: 'paid', ...some }));
  const agreeing = fc.property(features, segments, everyId, work, (all, ofSegments, texts, most) => {
    const evaluation = new Evaluation<EvaluableFeature>({ features: all, segments: ofSegments });
    const sent = { texts, properties: {} };
    const wanted = evaluation.evaluateAll(buildContext(sent, new WorkBudget(Number.POSITIVE_INFINITY)));
    evaluation.evaluateAll(buildContext(sent, new WorkBudget(most))).forEach((found, index) => {
      if (found.isDecided) expect(found).toBe(wanted[index]);
      else expect(found.enabled).toBe(false);
    });
  });
  fc.assert(agreeing, { numRuns: 500 });
});
