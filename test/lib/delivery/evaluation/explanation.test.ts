import { describe, expect, test } from 'vitest';
import { buildContext } from '../../../../lib/delivery/evaluation/context.ts';
import { type ExplainableFeature, Explanation } from '../../../../lib/delivery/evaluation/explanation.ts';
import type { Constraint } from '../../../../lib/features/strategies/constraint-schema.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';

const context = (userId: string, properties = {}) => buildContext({ texts: { userId }, properties });

const strategy = (fields: Partial<Strategy> = {}): Strategy => ({
  ...{ id: 'id', name: 'default', title: null, disabled: false, featureName: 'checkout', sortOrder: 0 },
  ...{ segments: [], constraints: [], variants: [], parameters: {} },
  ...fields,
});

const inPlan = (...values: string[]): Constraint => ({ contextName: 'plan', operator: 'IN', values });
const variant = (name: string, fields = {}) => ({ name, weight: 1000, stickiness: 'userId', ...fields });
const fixed = (name: string) => ({ ...variant(name), weightType: 'variable' as const });

function featureOf(strategies: Strategy[], fields: Partial<ExplainableFeature> = {}): ExplainableFeature {
  return { name: 'checkout', enabled: true, strategies, variants: [], dependencies: [], ...fields };
}

const segments = new Map([
  [1, { id: 1, name: 'paying', constraints: [inPlan('paid')] }],
  [2, { id: 2, name: 'both', constraints: [inPlan('paid'), { ...inPlan('paid'), inverted: true }] }],
]);

/** Explains a feature with these strategies to a user who pays. */
function explained(strategies: Strategy[], fields: Partial<ExplainableFeature> = {}) {
  const explanation = new Explanation({ features: [featureOf(strategies, fields)], segments });
  const [found] = explanation.explainAll(context('ann', { plan: 'paid' }));
  if (found === undefined) throw new Error('The feature was not explained.');
  return found;
}

describe('A feature is explained', () => {
  const on = { evaluationStatus: 'complete', enabled: true };
  const off = { evaluationStatus: 'complete', enabled: false };
  const free = strategy({ constraints: [inPlan('free')] });
  const own = strategy({ name: 'own' });
  const disabled = strategy({ disabled: true });

  test.each([
    ['without a strategy', [], true, [], true],
    ['by one that matches', [strategy()], true, [on], true],
    ['by one that does not', [free], false, [off], false],
    ['by one of several', [free, strategy()], true, [off, on], true],
    ['by none, where one cannot be known', [free, own], 'unknown', [off, { evaluationStatus: 'incomplete' }], false],
    [
      'by one that matches beside one that cannot be known',
      [own, strategy()],
      true,
      [{ enabled: 'unknown' }, on],
      true,
    ],
    [
      'by the constraints of what cannot be known otherwise',
      [strategy({ name: 'own', constraints: [inPlan('free')] })],
      ...[false, [{ evaluationStatus: 'incomplete', enabled: false }], false],
    ],
    ['by its host, which nobody knows', [strategy({ name: 'applicationHostname' })], 'unknown', [{}], false],
    ['by none that is disabled', [disabled], 'unknown', [{ evaluationStatus: 'unevaluated' }], false],
  ] as const)('%s', (_how, strategies, result, results, isEnabled) => {
    const found = explained([...strategies]);
    expect(found).toMatchObject({ result, isEnabled, hasUnsatisfiedDependency: false });
    expect(found.strategies).toMatchObject(
      strategies.map((each, index) => ({ strategy: each, result: results[index] })),
    );
  });

  test('as off if it is disabled, whatever its strategies are', () => {
    expect(explained([], { enabled: false })).toMatchObject({ isEnabled: false, result: false });
    expect(explained([strategy()], { enabled: false })).toMatchObject({ isEnabled: false, result: true });
  });

  test('by its parameters and its constraints', () => {
    const forAnn = { name: 'userWithId', parameters: { userIds: 'ann' } };
    expect(explained([strategy(forAnn)]).isEnabled).toBe(true);
    expect(explained([strategy({ ...forAnn, constraints: [inPlan('free')] })]).isEnabled).toBe(false);
    expect(explained([strategy({ ...forAnn, parameters: { userIds: 'bob' } })]).isEnabled).toBe(false);
  });

  test('with each of its constraints and segments', () => {
    const constraints = [inPlan('paid'), { ...inPlan('paid'), inverted: true }];
    const [found] = explained([strategy({ constraints, segments: [1, 2, 9] })]).strategies;
    const [holds, inverted] = [
      { ...inPlan('paid'), inverted: false, result: true },
      { ...inPlan('paid'), inverted: true, result: false },
    ];
    expect(found?.constraints).toEqual([holds, inverted]);
    expect(found?.segments).toEqual([
      { id: 1, name: 'paying', result: true, constraints: [holds] },
      { id: 2, name: 'both', result: false, constraints: [holds, inverted] },
      { id: 9, name: '', result: false, constraints: [] },
    ]);
    expect(explained([strategy({ segments: [1] })]).isEnabled).toBe(true);
    expect(explained([strategy({ segments: [1, 2] })]).isEnabled).toBe(false);
    expect(explained([strategy({ segments: [1, 9] })]).isEnabled).toBe(false);
  });
});

describe('The variant of an explained feature', () => {
  const payload = { type: 'string' as const, value: 'x' };
  const none = { name: 'disabled', enabled: false };

  test('is a variant of the feature, with its payload, while it is on', () => {
    const variants = [variant('blue', { payload })];
    expect(explained([], { variants })).toMatchObject({ variant: { name: 'blue', enabled: true, payload }, variants });
    expect(explained([], { variants: [variant('red')] }).variant).toEqual({ name: 'red', enabled: true });
    expect(explained([], { variants, enabled: false })).toMatchObject({ variant: none, variants });
    expect(explained([])).toMatchObject({ variant: none, variants: [] });
    expect(explained([], { variants: [{ ...variant('never'), weight: 0 }] }).variant).toEqual(none);
  });

  test('is a variant of the deciding strategy before one of the feature', () => {
    const [own, other] = [[fixed('own')], [fixed('other')]];
    const free = strategy({ constraints: [inPlan('free')], variants: other });
    const found = explained([free, strategy({ variants: own })], { variants: [variant('blue')] });
    expect(found).toMatchObject({ variant: { name: 'own', enabled: true }, variants: own });
    expect(found.strategies.map(({ result }) => result)).toMatchObject([
      { enabled: false, variant: { name: 'other' }, variants: other },
      { enabled: true, variant: { name: 'own' }, variants: own },
    ]);
    const plain = explained([strategy(), free], { variants: [variant('blue')] });
    expect(plain.variant).toEqual({ name: 'blue', enabled: true });
    expect(plain.strategies[0]?.result).toEqual({ evaluationStatus: 'complete', enabled: true });
  });
});
