import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { strategyVariants } from '../../../../lib/features/environments/variant-schema.ts';
import {
  buildStrategyContent,
  contentKeyOf,
  nextSortOrder,
  requireStrategy,
  withFinalWeights,
} from '../../../../lib/features/strategies/strategy.ts';
import { strategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';

const weightType = fc.constantFrom('variable' as const, 'fix' as const);
const variantList = fc
  .array(fc.record({ weight: fc.integer({ min: 0, max: 1000 }), weightType }), { minLength: 1, maxLength: 12 })
  .map((list) => list.map((fields, index) => ({ ...fields, name: `v${index}`, stickiness: 'default' })))
  // Those that the schema takes.
  .filter((list) => v.is(strategyVariants, list));

const defaults = { featureName: 'checkout', defaultStickiness: 'userId' };

describe('Final weights', () => {
  test('add up to 1000, keep fixed weights and share the rest evenly, with the remainder for the first', () => {
    fc.assert(
      fc.property(variantList, (variants) => {
        const final = withFinalWeights(variants);
        expect(final.reduce((sum, { weight }) => sum + weight, 0)).toBe(1000);
        const fixed = (list: typeof variants) => list.filter((variant) => variant.weightType === 'fix');
        expect(fixed(final)).toEqual(fixed(variants));
        const shares = final.filter((variant) => variant.weightType === 'variable').map(({ weight }) => weight);
        expect(shares).toEqual(shares.toSorted((a, b) => b - a));
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        expect(shares.every((weight) => Number.isInteger(weight) && weight >= 0)).toBe(true);
      }),
    );
  });

  test('do not depend on the sent variable weights, and do not change when they are computed again', () => {
    fc.assert(
      fc.property(variantList, fc.integer({ min: 0, max: 1000 }), (variants, weight) => {
        const final = withFinalWeights(variants);
        const others = variants.map((variant) => (variant.weightType === 'fix' ? variant : { ...variant, weight }));
        expect(withFinalWeights(others)).toEqual(final);
        expect(withFinalWeights(final)).toEqual(final);
      }),
    );
  });
});

describe('The content of a strategy', () => {
  const parameters = fc
    .dictionary(fc.string(), fc.string(), { noNullPrototype: true })
    // Those that the schema takes.
    .filter((given) => v.is(strategyInput, { name: 'default', parameters: given }));

  test('has every field, with defaults for omitted ones', () => {
    expect(buildStrategyContent({ name: 'default', title: null, disabled: null }, defaults)).toEqual({
      name: 'default',
      title: null,
      disabled: false,
      featureName: 'checkout',
      segments: [],
      constraints: [],
      variants: [],
      parameters: {},
    });
  });

  test('is valid for the schema, with unchanged parameters except for a gradual rollout', () => {
    fc.assert(
      fc.property(parameters, (given) => {
        expect(buildStrategyContent({ name: 'default', parameters: given }, defaults).parameters).toEqual(given);
        const rollout = buildStrategyContent({ name: 'flexibleRollout', parameters: given }, defaults);
        expect(rollout.parameters).toEqual({ rollout: '100', stickiness: 'userId', groupId: 'checkout', ...given });
        expect(v.is(strategyInput, rollout)).toBe(true);
      }),
    );
  });

  test('uses the defaults for an empty stickiness and an empty group', () => {
    const input = { name: 'flexibleRollout', parameters: { stickiness: '', groupId: '', rollout: '50' } };
    expect(buildStrategyContent(input, defaults).parameters).toEqual({
      rollout: '50',
      stickiness: 'userId',
      groupId: 'checkout',
    });
  });

  test('contains each segment once', () => {
    expect(buildStrategyContent({ name: 'default', segments: [3, 1, 3] }, defaults).segments).toEqual([3, 1]);
  });
});

describe('The position of a new strategy', () => {
  test('is 0 for the first strategy, and after all others for further ones', () => {
    expect(nextSortOrder([])).toBe(0);
    expect(nextSortOrder([{ sortOrder: 0 }])).toBe(1);
    expect(nextSortOrder([{ sortOrder: 4 }, { sortOrder: 9 }, { sortOrder: 2 }])).toBe(10);
    expect(nextSortOrder([{ sortOrder: -5 }])).toBe(0);
  });

  test('never exceeds the largest exact integer', () => {
    expect(nextSortOrder([{ sortOrder: Number.MAX_SAFE_INTEGER }])).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('The key of a content', () => {
  const content = buildStrategyContent({ name: 'default', parameters: { a: '1', b: '2' } }, defaults);

  test('does not depend on the order of parameters, the id or the position', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: ([key]) => key }), (entries) => {
        const keyOf = (list: typeof entries) => contentKeyOf({ ...content, parameters: Object.fromEntries(list) });
        expect(keyOf(entries.toReversed())).toBe(keyOf(entries));
      }),
    );
    expect(contentKeyOf({ ...content, ...{ id: 'x', sortOrder: 3 } })).toBe(contentKeyOf(content));
  });

  test.each([
    { name: 'other' },
    { title: '' },
    { disabled: true },
    { segments: [1] },
    { parameters: { a: '1' } },
    { parameters: { a: '1', b: '3' } },
    { parameters: { a: '2', b: '1' } },
    { constraints: [{ contextName: 'x', operator: 'IN' as const, values: ['a'] }] },
    { variants: [{ name: 'a', weight: 1000, weightType: 'variable' as const, stickiness: 'x' }] },
  ])('differs with %j', (fields) => {
    expect(contentKeyOf({ ...content, ...fields })).not.toBe(contentKeyOf(content));
  });

  test('does not depend on the order in which a client writes the fields of constraints and variants', () => {
    const parse = (input: unknown) => contentKeyOf(buildStrategyContent(v.parse(strategyInput, input), defaults));
    const constraint = {
      contextName: 'x',
      operator: 'IN',
      values: ['a'],
      value: 'v',
      inverted: true,
      caseInsensitive: false,
    };
    const payload = { type: 'string', value: 'x' };
    const variant = { name: 'a', weight: 1, weightType: 'variable', stickiness: 's', payload };
    const reversed = (fields: object) => Object.fromEntries(Object.entries(fields).toReversed());
    expect(
      parse({
        variants: [{ ...reversed(variant), payload: reversed(payload) }],
        constraints: [reversed(constraint)],
        name: 'default',
      }),
    ).toBe(parse({ name: 'default', constraints: [constraint], variants: [variant] }));
  });
});

test('A rollout that is no percentage is refused with its path', () => {
  const { issues } = v.safeParse(strategyInput, { name: 'flexibleRollout', parameters: { rollout: '101' } });
  expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['parameters.rollout']);
});

test('A strategy is found by its id, and a 404 names an unknown id', () => {
  const strategies = ['a', 'b'].map((id) => ({
    ...buildStrategyContent({ name: 'default' }, defaults),
    id,
    sortOrder: 0,
  }));
  expect(requireStrategy(strategies, 'b')).toBe(strategies[1]);
  expect(() => requireStrategy(strategies, 'c')).toThrow('There is no strategy "c".');
});
