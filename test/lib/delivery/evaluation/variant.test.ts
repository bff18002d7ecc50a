import { expect, test } from 'vitest';
import { buildContext } from '../../../../lib/delivery/evaluation/context.ts';
import {
  buildFeatureChoice,
  buildStrategyChoice,
  type EvaluableVariant,
} from '../../../../lib/delivery/evaluation/variant.ts';

const contextOf = (texts: Record<string, string>, properties = {}) => buildContext({ texts, properties });
const pair = (fields: Partial<EvaluableVariant> = {}): EvaluableVariant[] =>
  ['a', 'b'].map((name) => ({ name, weight: 500, ...fields }));
const ids = Array.from({ length: 60 }, (_, index) => `id-${index}`);

/** The variants that a feature has for many values of a field. */
function chosenBy(
  field: string,
  variants: readonly EvaluableVariant[],
  others: Record<string, string> = {},
  name = 'checkout',
) {
  const choose = buildFeatureChoice(name, variants);
  return ids.map((id) => choose(contextOf({ ...others, [field]: id }))?.name).join('');
}

test('No variant is chosen without variants or without weights, even with an override', () => {
  expect(buildFeatureChoice('checkout', [])(contextOf({ userId: 'ann' }))).toBeUndefined();
  const overrides = [{ contextName: 'userId', values: ['ann'] }];
  for (const weightless of [pair({ weight: 0 }), pair({ weight: 0, overrides })]) {
    expect(buildFeatureChoice('checkout', weightless)(contextOf({ userId: 'ann' }))).toBeUndefined();
  }
});

test('A variant of a strategy uses the stickiness of the first variant, else that of the strategy, and the group of the strategy', () => {
  const chosen = (
    parameters: Record<string, string>,
    stickiness: string,
    texts: (id: string) => Record<string, string>,
  ) => {
    const choose = buildStrategyChoice(parameters, pair({ stickiness }));
    return ids.map((id) => choose(contextOf(texts(id)))?.name).join('');
  };
  const byUser = chosenBy('userId', pair());
  expect(chosen({ groupId: 'checkout' }, 'default', (userId) => ({ userId }))).toBe(byUser);
  expect(chosen({ groupId: 'checkout', stickiness: 'plan' }, 'userId', (userId) => ({ userId, plan: 'paid' }))).toBe(
    byUser,
  );
  expect(chosen({ groupId: 'checkout', stickiness: 'plan' }, '', (plan) => ({ plan, userId: 'ann' }))).toBe(byUser);
  expect(chosen({ groupId: 'other' }, 'default', (userId) => ({ userId }))).not.toBe(byUser);
  expect(chosen({}, 'default', (userId) => ({ userId }))).toBe(chosenBy('userId', pair(), {}, 'undefined'));
});
