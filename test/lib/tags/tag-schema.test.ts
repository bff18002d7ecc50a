import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { tagInput, tagInQuery } from '../../../lib/tags/tag-schema.ts';

describe('A tag', () => {
  test('has a value of 2 to 50 characters, as it is', () => {
    const value = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });
    fc.assert(
      fc.property(value, (each) => {
        const { success, output } = v.safeParse(tagInput, { value: each });
        expect(success).toBe(each.length >= 2 && each.length <= 50);
        if (success) expect(output).toEqual({ value: each, type: 'simple' });
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
  ])('of the type %j is taken: %j', (type, isTaken) => {
    expect(v.is(tagInput, { value: 'value', type })).toBe(isTaken);
  });

  test('is asked for by its type, a colon, and its value, which may hold more of these', () => {
    expect(v.parse(tagInQuery, 'team:shop:north')).toEqual(['team', 'shop:north']);
  });
});
