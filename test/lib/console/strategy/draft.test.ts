import { describe, expect, test } from 'vitest';
import {
  buildNewDraft,
  listDraftProblems,
  newStrategyId,
  shareWeights,
  toDraft,
  type Variant,
  withDraft,
} from '../../../../lib/console/strategy/draft.ts';
import type { ConsoleFlag } from '../../../../lib/screens/flag-schema.ts';

const variant = (name: string, rest: Partial<Variant> = {}): Variant =>
  ({ name, weight: 0, weightType: 'variable', stickiness: 'default', ...rest }) as Variant;

describe('The draft of a strategy', () => {
  test('is complete from the start: everybody gets the flag', () => {
    expect(listDraftProblems(buildNewDraft('checkout', undefined))).toEqual([]);
  });

  test('lists all its problems', () => {
    const draft = {
      ...buildNewDraft('checkout', undefined),
      parameters: { rollout: '101' },
      constraints: [
        { contextName: 'plan', operator: 'IN' as const, values: [] },
        { contextName: 'age', operator: 'NUM_GT' as const, values: [], value: '' },
      ],
      variants: [
        variant('red', { weight: 600, weightType: 'fix' }),
        variant('red', { weight: 600, weightType: 'fix' }),
        variant('', { weight: 0, weightType: 'fix' }),
      ],
    };
    expect(listDraftProblems(draft)).toEqual([
      'The share of users is a number from 0 to 100.',
      'The condition on plan needs a value.',
      'The condition on age needs a value.',
      'Each variant needs a name.',
      'Two variants have the same name.',
      'The fixed shares of the variants add up to more than 100%.',
      'One variant must take the rest.',
    ]);
  });

  test.each([
    [
      [variant('a'), variant('b'), variant('c')],
      [333, 334, 333],
    ],
    [
      [variant('a', { weight: 500, weightType: 'fix' }), variant('b'), variant('c')],
      [500, 250, 250],
    ],
    [
      [variant('a', { weight: 1_000, weightType: 'fix' }), variant('b')],
      [1_000, 0],
    ],
  ])('shares the weight of %j among its variants', (variants, weights) => {
    expect(shareWeights(variants).map(({ weight }) => weight)).toEqual(weights);
  });
});

describe('A flag with a draft', () => {
  const strategy = (id: string) => ({ ...buildNewDraft('checkout', undefined), id, sortOrder: 0 });
  const environment = (name: string) => ({ name, enabled: false, strategies: [strategy('a'), strategy('b')] });
  const flag = {
    feature: { name: 'checkout', environments: [environment('development'), environment('production')] },
    segments: [{ id: 1, name: 'Testers', constraints: [] }],
  } as unknown as ConsoleFlag;
  const strategiesOf = ({ feature }: ConsoleFlag, place: string) =>
    feature.environments.find(({ name }) => name === place)?.strategies ?? [];

  test('has it in place of the strategy that it edits, and only where it is edited', () => {
    const draft = { ...toDraft(strategiesOf(flag, 'production')[1] as never), title: 'Beta' };
    const edited = withDraft(flag, 'production', 'b', draft, []);
    expect(strategiesOf(edited, 'production').map(({ id, title }) => [id, title])).toEqual([
      ['a', ''],
      ['b', 'Beta'],
    ]);
    expect(strategiesOf(edited, 'development')).toEqual(strategiesOf(flag, 'development'));
  });

  test('has a new strategy behind the others', () => {
    const edited = withDraft(flag, 'production', undefined, buildNewDraft('checkout', undefined), []);
    expect(strategiesOf(edited, 'production').map(({ id }) => id)).toEqual(['a', 'b', newStrategyId]);
  });

  test('is on where it is edited, and knows the segments that the draft may use', () => {
    const draft = { ...buildNewDraft('checkout', undefined), segments: [2] };
    const { feature, segments } = withDraft(flag, 'production', undefined, draft, [
      { id: 2, name: 'Staff', constraints: [] },
    ]);
    expect(feature.environments.map(({ enabled }) => enabled)).toEqual([false, true]);
    expect(segments.map(({ id }) => id)).toEqual([2, 1]);
  });
});
