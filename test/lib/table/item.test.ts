import { describe, expect, test } from 'vitest';
import { assertFits, itemBytes, itemBytesMax } from '../../../lib/table/item.ts';

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

  test('is at most 400 KiB, of which the message tells', () => {
    expect(() => assertFits({ a: 'x'.repeat(400 * 1024 - 1) }, 'feature "checkout"')).not.toThrow();
    expect(() => assertFits({ a: 'x'.repeat(400 * 1024) }, 'feature "checkout"')).toThrow(
      expect.objectContaining({
        name: 'ValidationError',
        message: expect.stringMatching(`feature "checkout".* ${itemBytesMax + 1} bytes.* ${itemBytesMax} `),
      }),
    );
  });
});
