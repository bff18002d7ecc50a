import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { tagInput, tagInQuery } from '../../../lib/tags/tag-schema.ts';

describe('A tag', () => {
  test('has a value of 2 to 50 characters, which is not trimmed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (value) => {
        const { success, output } = v.safeParse(tagInput, { value });
        expect(success).toBe(value.length >= 2 && value.length <= 50);
        if (success) expect(output).toEqual({ value, type: 'simple' });
      }),
    );
  });

  test.each([
    ['ab', true],
    ['x'.repeat(50), true],
    ['x'.repeat(51), false],
    ['a', false],
    ['Ab-1', true],
    ['a b', false],
    ['..', false],
    [null, false],
  ])('of the type %j is valid: %j', (type, isValid) => {
    expect(v.is(tagInput, { value: 'value', type })).toBe(isValid);
  });

  test('is written in a query as its type, a colon and its value, which may contain colons', () => {
    expect(v.parse(tagInQuery, 'team:shop:north')).toEqual(['team', 'shop:north']);
  });
});
