import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { featureVariants, strategyVariants } from '../../../../lib/features/environments/variant-schema.ts';

const plain = { weight: 0, weightType: 'variable', stickiness: 'default' };
const variants = (schema: v.GenericSchema, ...list: object[]) =>
  v.is(
    schema,
    list.map((fields, index) => ({ ...plain, name: `v${index}`, ...fields })),
  );
const ofStrategy = (...list: object[]) => variants(strategyVariants, ...list);
const ofFeature = (...list: object[]) => variants(featureVariants, ...list);

describe('The variants of a strategy', () => {
  test('are accepted exactly if fixed weights leave room and one variant is variable', () => {
    const list = fc.array(
      fc.record({ weight: fc.integer({ min: 0, max: 1000 }), weightType: fc.constantFrom('variable', 'fix') }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(list, (each) => {
        const fixed = each.filter(({ weightType }) => weightType === 'fix');
        const sum = fixed.reduce((total, { weight }) => total + weight, 0);
        expect(ofStrategy(...each)).toBe(sum <= 1000 && fixed.length < each.length);
      }),
    );
  });

  test('can be empty', () => {
    expect(ofStrategy()).toBe(true);
  });

  test('need integer weights, a weight type and a stickiness', () => {
    for (const fields of [
      { weight: 0.5 },
      { weight: 1001 },
      { weight: -1 },
      { weightType: undefined },
      { stickiness: '' },
    ]) {
      expect(ofStrategy(fields)).toBe(false);
    }
  });

  test('cause an error with all problems of the list', () => {
    const fix = { ...plain, weightType: 'fix', weight: 600 };
    const { issues } = v.safeParse(strategyVariants, [
      { ...fix, name: 'a' },
      { ...fix, name: 'a' },
      { ...fix, name: 'b' },
      { ...fix, name: 'b' },
    ]);
    expect(issues).toHaveLength(4);
  });
});

describe('The variants of a feature', () => {
  test('need a name and a weight up to 1000, also a fractional one', () => {
    expect(v.is(featureVariants, [{ name: 'a', weight: 333.3 }])).toBe(true);
    for (const fields of [{ weight: 1000.5 }, { weight: -0.1 }, { name: 'a b' }, { weightType: 'x' }]) {
      expect(ofFeature(fields)).toBe(false);
    }
  });

  test('can have overrides with a context name and values', () => {
    expect(ofFeature({ overrides: [{ contextName: 'userId', values: [] }] })).toBe(true);
    for (const override of [{ contextName: 'userId' }, { values: ['a'] }, { contextName: 'userId', values: [1] }]) {
      expect(ofFeature({ overrides: [override] })).toBe(false);
    }
  });
});

describe.each([
  ['a strategy', ofStrategy],
  ['a feature', ofFeature],
])('Two variants of %s', (_title, accepts) => {
  test('cannot have the same name', () => {
    expect(accepts({ name: 'a' }, { name: 'A' })).toBe(true);
    expect(accepts({ name: 'a' }, {}, { name: 'a' })).toBe(false);
  });

  test('have payloads of which only JSON is checked', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ unit: 'grapheme-ascii' }), (json, value) => {
        expect(accepts({ payload: { type: 'json', value: json } })).toBe(true);
        for (const type of ['string', 'csv', 'number']) expect(accepts({ payload: { type, value } })).toBe(true);
      }),
    );
    for (const payload of [
      { type: 'json', value: '{' },
      { type: 'json', value: `${'['.repeat(501)}${']'.repeat(501)}` },
      { type: 'yaml', value: '' },
      { type: 'json' },
      { value: '{}' },
    ]) {
      expect(accepts({ payload })).toBe(false);
    }
  });
});

describe('The message that refuses variants', () => {
  const list = (...fields: object[]) => fields.map((each, index) => ({ ...plain, name: `v${index}`, ...each }));
  const fixed = (weight: number) => ({ weightType: 'fix', weight });
  const json = { type: 'json', value: '{' };

  test.each([
    ['a name that is used twice', strategyVariants, list({ name: 'a' }, { name: 'a' }), '"a" is used more than once'],
    ['a name that is used twice', featureVariants, list({ name: 'a' }, { name: 'a' }), '"a" is used more than once'],
    ['fixed weights without room', strategyVariants, list(fixed(600), fixed(401), {}), 'more than 1000'],
    ['no variable weight', strategyVariants, list(fixed(5)), 'weightType variable'],
    ['a payload that is no JSON', featureVariants, list({ payload: json }), 'valid JSON'],
  ])('names %s, and nothing else', (_what, schema, sent, expected) => {
    const { issues } = v.safeParse(schema, sent);
    expect(issues?.map(({ message }) => message)).toEqual([expect.stringContaining(expected)]);
  });

  test('is missing if fixed weights add up to exactly 1000', () => {
    expect(v.is(strategyVariants, list(fixed(600), fixed(400), {}))).toBe(true);
  });
});
