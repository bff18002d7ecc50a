import { describe, expect, test } from 'vitest';
import { requireFeature, requireLive } from '../../../lib/features/require-feature.ts';
import { storedFeature } from './stored-feature.ts';

const live = storedFeature();
const archived = storedFeature({ archivedAt: '2026-02-01T00:00:00.000Z' });

const refusedWith = (name: string, ...words: string[]) =>
  expect.objectContaining({ name, message: expect.stringMatching(words.join('.*')) });

describe('A feature', () => {
  test('is found in its project, archived or not', () => {
    expect(requireFeature(live, 'checkout', 'shop')).toBe(live);
    expect(requireFeature(archived, 'checkout', 'shop')).toBe(archived);
  });

  test('is missing in any other project as if there were none, with a message that says what was looked for', () => {
    for (const stored of [live, undefined]) {
      const missing = refusedWith('NotFoundError', 'project "default"', '"checkout"');
      expect(() => requireFeature(stored, 'checkout', 'default')).toThrow(missing);
    }
  });

  test('is named with its project in a message of readable length, however long the names are', () => {
    const long = 'x'.repeat(5_000);
    expect(() => requireFeature(undefined, long, long)).toThrow(refusedWith('NotFoundError', '^.{200,300}$'));
  });

  test('can be edited unless it is archived', () => {
    expect(requireLive(live)).toBe(live);
    expect(() => requireLive(archived)).toThrow(refusedWith('NotFoundError', '"checkout" is archived'));
  });
});
