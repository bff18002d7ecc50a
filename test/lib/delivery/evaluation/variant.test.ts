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

test('Variants are shared out by their weights, and one without weight is never chosen', () => {
  const counts = (weights: number[]) => {
    const choose = choiceOfFeature(
      'checkout',
      weights.map((weight, index) => ({ name: `${index}`, weight })),
    );
    const names = Array.from({ length: 2_000 }, (_, index) => choose(contextOf({ userId: `user-${index}` }))?.name);
    return weights.map((_, index) => names.filter((name) => name === `${index}`).length);
  };
  const [a = 0, b = 0, c = 0, d = 0] = counts([0, 250, 0, 750]);
  expect([a, c, b + d]).toEqual([0, 0, 2_000]);
  expect(Math.abs(b - 500)).toBeLessThan(100);
  expect(counts([0, 1])).toEqual([0, 2_000]);
  expect(counts([1, 1]).every((count) => count > 900)).toBe(true);
});

test('None is chosen where there are none, or none with a weight, overridden or not', () => {
  expect(choiceOfFeature('checkout', [])(contextOf({ userId: 'ann' }))).toBeUndefined();
  const overrides = [{ contextName: 'userId', values: ['ann'] }];
  for (const weightless of [pair({ weight: 0 }), pair({ weight: 0, overrides })]) {
    expect(choiceOfFeature('checkout', weightless)(contextOf({ userId: 'ann' }))).toBeUndefined();
  }
});

test('The variant of a feature sticks to what its first variant names, by default to user, session or address', () => {
  const byUser = chosenBy('userId', pair());
  expect(new Set(byUser)).toEqual(new Set('ab'));
  expect(chosenBy('userId', pair({ stickiness: 'default' }), { sessionId: 's', remoteAddress: 'r' })).toBe(byUser);
  expect(chosenBy('sessionId', pair(), { userId: '', remoteAddress: 'r' })).toBe(byUser);
  expect(chosenBy('remoteAddress', pair(), { userId: '', sessionId: '' })).toBe(byUser);
  const [first, second] = pair() as [EvaluableVariant, EvaluableVariant];
  expect(chosenBy('plan', [{ ...first, stickiness: 'plan' }, second], { userId: 'ann' })).toBe(byUser);
  expect(chosenBy('userId', pair(), {}, 'other')).not.toBe(byUser);
});

test('The variant is random where nothing is known that it sticks to', () => {
  const names = (stickiness: string, texts: Record<string, string>) =>
    new Set(ids.map(() => choiceOfFeature('checkout', pair({ stickiness }))(contextOf(texts))?.name)).size;
  expect([names('default', {}), names('random', { userId: 'ann' }), names('plan', { plan: '' })]).toEqual([2, 2, 2]);
  expect([names('default', { userId: 'ann' }), names('plan', { plan: 'paid' })]).toEqual([1, 1]);
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

test('An override counts more than weights, and the first one that is met decides', () => {
  const overriding = (name: string, weight: number, ...values: string[]) => ({
    ...{ name, weight },
    overrides: [
      { contextName: 'plan', values: [] },
      { contextName: 'userId', values },
    ],
  });
  const choose = choiceOfFeature('checkout', [
    { name: 'rest', weight: 1_000 },
    overriding('b', 0, 'bob', 'ann'),
    overriding('a', 0, 'ann'),
  ]);
  const names = ['ann', 'bob', 'cid'].map((userId) => choose(contextOf({ userId }))?.name);
  expect(names).toEqual(['b', 'b', 'rest']);
  expect(choose(contextOf({}, { userId: 'ann' }))?.name).toBe('b');
});
