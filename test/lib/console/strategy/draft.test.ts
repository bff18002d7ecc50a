import { describe, expect, test } from 'vitest';
import {
  buildNewDraft,
  listDraftProblems,
  shareWeights,
  type Variant,
} from '../../../../lib/console/strategy/draft.ts';

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
