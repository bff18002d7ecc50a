import { describe, expect, test } from 'vitest';
import { itemBytes } from '../../../lib/store/item.ts';

describe('The size of an item', () => {
  test('is that of its names and values in UTF-8', () => {
    expect(itemBytes({})).toBe(0);
    expect(itemBytes({ a: '' })).toBe(1);
    expect(itemBytes({ name: 'value' })).toBe(9);
    expect(itemBytes({ ä: '😀' })).toBe(6);
  });

  test('counts a number as the most that one can take, and what is no text and no number as one byte', () => {
    expect(itemBytes({ a: 1 })).toBe(22);
    expect(itemBytes({ a: true, b: null, c: undefined })).toBe(6);
  });
});
