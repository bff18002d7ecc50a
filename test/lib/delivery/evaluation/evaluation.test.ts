import { describe, expect, test } from 'vitest';
import { buildContext } from '../../../../lib/delivery/evaluation/context.ts';
import { type EvaluableFeature, Evaluation } from '../../../../lib/delivery/evaluation/evaluation.ts';

const contextOf = (texts: Record<string, string> = {}, properties = {}) => buildContext({ texts, properties });
const featureOf = (fields: Partial<EvaluableFeature> = {}) => ({ name: 'checkout', enabled: true, ...fields });
const inPlan = (...values: string[]) => ({ contextName: 'plan', operator: 'IN', values });
const never = { name: 'default', constraints: [inPlan()] };

const segments = new Map([
  [1, { constraints: [inPlan('paid', 'trial'), { ...inPlan('trial'), inverted: true }] }],
  [2, { constraints: [] }],
]);

function evaluated(fields: Partial<EvaluableFeature>, context = contextOf(), others: EvaluableFeature[] = []) {
  const found = new Evaluation({ features: [featureOf(fields), ...others], segments }).evaluate('checkout', context);
  return found && { enabled: found.enabled, variant: found.variant };
}
const isOn = (...args: Parameters<typeof evaluated>) => evaluated(...args)?.enabled;

const off = {
  enabled: false,
  variant: { name: 'disabled', enabled: false, feature_enabled: false, featureEnabled: false },
};
const onWith = (name: string, payload?: object) => ({
  enabled: true,
  variant: { name, enabled: true, ...(payload && { payload }), feature_enabled: true, featureEnabled: true },
});

describe('A context', () => {
  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'properties'])(
    'has no "%s" unless it was sent',
    (contextName) => {
      const constraint = { contextName, operator: 'STR_CONTAINS', values: ['o'] };
      const isOnFor = (context = contextOf(), inverted = false) =>
        isOn({ strategies: [{ name: 'default', constraints: [{ ...constraint, inverted }] }] }, context);
      expect([isOnFor(), isOnFor(contextOf({}, { country: 'o' })), isOnFor(contextOf(), true)]).toEqual([
        false,
        false,
        true,
      ]);
    },
  );

  test('prefers a field to a property of the same name', () => {
    const { userId, values } = contextOf({ plan: 'free' }, { plan: 'paid', userId: 'ann' });
    expect([userId, values.get('plan'), values.get('userId')]).toEqual([undefined, 'free', 'ann']);
  });
});

describe('A feature', () => {
  test('is on if all its segments hold; a missing segment never holds', () => {
    const isOnFor = (plan: string, ...ids: number[]) =>
      isOn({ strategies: [{ name: 'default', segments: ids }] }, contextOf({ plan }));
    expect([isOnFor('paid', 1), isOnFor('free', 1), isOnFor('trial', 1)]).toEqual([true, false, false]);
    expect([isOnFor('paid', 1, 2), isOnFor('paid', 2, 1), isOnFor('free', 2, 1)]).toEqual([true, true, false]);
    expect([isOnFor('paid', 9), isOnFor('paid', 1, 9), isOnFor('x', 2)]).toEqual([false, false, true]);
  });

  test('has a variant of the strategy that is on, or else a variant of the feature', () => {
    const payload = { type: 'string', value: 'x' };
    const ofStrategy = [{ name: 'of strategy', weight: 1_000, payload }];
    const variants = [{ name: 'own', weight: 1_000 }];
    expect(evaluated({ variants })).toEqual(onWith('own'));
    expect(evaluated({ variants, strategies: [{ name: 'default' }] })).toEqual(onWith('own'));
    expect(
      evaluated({
        variants,
        strategies: [
          { ...never, variants: [] },
          { name: 'default', variants: ofStrategy },
        ],
      }),
    ).toEqual(onWith('of strategy', payload));
    expect(evaluated({ strategies: [{ name: 'default', variants: [{ name: 'none', weight: 0 }] }], variants })).toEqual(
      onWith('own'),
    );
    expect(evaluated({ strategies: [{ ...never, variants: ofStrategy }], variants })).toEqual(off);
  });

  test('returns the same result object again', () => {
    const features = [featureOf({ variants: [{ name: 'own', weight: 1 }] }), featureOf({ name: 'other' })];
    const evaluation = new Evaluation({ features, segments });
    const all = evaluation.evaluateAll(contextOf({ userId: 'ann' }));
    expect(all.map(({ feature, variant }) => [feature, variant.name])).toEqual([
      [features[0], 'own'],
      [features[1], 'disabled'],
    ]);
    const again = evaluation.evaluateAll(contextOf({ userId: 'bob' }));
    expect(again.map((each, index) => each === all[index])).toEqual([true, true]);
    expect(evaluation.evaluate('other', contextOf())).toBe(all[1]);
  });
});

describe('A feature that depends on another', () => {
  const parent = featureOf({ name: 'parent', strategies: [{ name: 'default', constraints: [inPlan('paid')] }] });
  const dependsOn = (dependency: object, parents: EvaluableFeature[], plan = 'paid') =>
    isOn({ dependencies: [{ feature: 'parent', ...dependency }] }, contextOf({ plan }), parents);

  test('is on while its parent is in the required state', () => {
    expect([dependsOn({}, [parent]), dependsOn({}, [parent], 'free')]).toEqual([true, false]);
    expect([dependsOn({ enabled: true }, [parent]), dependsOn({ enabled: true }, [parent], 'free')]).toEqual([
      true,
      false,
    ]);
    expect([dependsOn({ enabled: false }, [parent]), dependsOn({ enabled: false }, [parent], 'free')]).toEqual([
      false,
      true,
    ]);
  });
});
