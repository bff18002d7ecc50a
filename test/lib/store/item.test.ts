import { describe, expect, test } from 'vitest';
import { itemBytes } from '../../../lib/store/item.ts';

describe('The size of an item', () => {
  test('is the size of its names and values in UTF-8', () => {
    expect(itemBytes({})).toBe(0);
    expect(itemBytes({ a: '' })).toBe(1);
    expect(itemBytes({ name: 'value' })).toBe(9);
    expect(itemBytes({ ä: '😀' })).toBe(6);
  });

  test('counts the maximum for a number, and one byte for a boolean or null', () => {
    expect(itemBytes({ a: 1 })).toBe(22);
    expect(itemBytes({ a: true, b: null, c: undefined })).toBe(6);
  });
});
