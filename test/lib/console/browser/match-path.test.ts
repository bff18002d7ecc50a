import { describe, expect, test } from 'vitest';
import { matchPath } from '../../../../lib/console/browser/match-path.ts';

describe('An address', () => {
  test('gives the decoded values of the names in its pattern', () => {
    const pattern = '/projects/:project/features/:feature';
    expect(matchPath(pattern, '/projects/shop/features/a%2Fb')).toEqual({ project: 'shop', feature: 'a/b' });
  });

  test('that does not match a pattern gives no values', () => {
    const pattern = '/projects/:project/features/:feature';
    for (const path of [
      '/projects/shop',
      '/projects/shop/features/',
      '/projects/shop/features/%zz',
      '/x/shop/features/a',
    ])
      expect(matchPath(pattern, path)).toBeUndefined();
  });
});
