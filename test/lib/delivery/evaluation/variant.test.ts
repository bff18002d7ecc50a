import { expect, test } from 'vitest';
import { evaluationContext } from '../../../../lib/delivery/evaluation/context.ts';
import {
  choiceOfFeature,
  choiceOfStrategy,
  type EvaluableVariant,
} from '../../../../lib/delivery/evaluation/variant.ts';

const contextOf = (texts: Record<string, string>, properties = {}) => evaluationContext({ texts, properties });
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
  const choose = choiceOfFeature(name, variants);
  return ids.map((id) => choose(contextOf({ ...others, [field]: id }))?.name).join('');
}

test('None is chosen where there are none, or none with a weight, overridden or not', () => {
  expect(choiceOfFeature('checkout', [])(contextOf({ userId: 'ann' }))).toBeUndefined();
  const overrides = [{ contextName: 'userId', values: ['ann'] }];
  for (const weightless of [pair({ weight: 0 }), pair({ weight: 0, overrides })]) {
    expect(choiceOfFeature('checkout', weightless)(contextOf({ userId: 'ann' }))).toBeUndefined();
  }
});

test('The variant of a strategy sticks to what the first one names, or else the strategy, in the group of the strategy', () => {
  const chosen = (
    parameters: Record<string, string>,
    stickiness: string,
    texts: (id: string) => Record<string, string>,
  ) => {
    const choose = choiceOfStrategy(parameters, pair({ stickiness }));
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
