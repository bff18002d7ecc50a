import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findNewAddress, newAddresses } from '../../../../lib/console/browser/earlier-addresses.ts';
import { matchPath } from '../../../../lib/console/browser/match-path.ts';

describe("A bookmark of Unleash's admin UI", () => {
  test.each([
    ['/login', '/'],
    ['/search', '/'],
    ['/history', '/events'],
    ['/admin/api', '/tokens'],
    ['/admin/api/create-token', '/tokens/new'],
    ['/admin/users/7/edit', '/people/7'],
    ['/admin/maintenance', '/settings'],
    ['/projects/my%20shop/logs', '/events?project=my%20shop'],
    ['/projects/shop/settings/change-requests', '/projects/shop/settings#rules'],
    ['/projects/shop/features/check%2Fout/metrics', '/projects/shop/features/check%2Fout'],
    ['/projects/shop/', '/projects/shop'],
    ['//evil.example/', '/evil.example'],
  ])('%s leads to %s', (path, address) => {
    expect(findNewAddress(path)).toBe(address);
  });

  test.each([
    '/',
    '/now',
    '/integrations',
    '/new-user',
    '/reset-password',
    '/projects/shop',
    '/projects/shop/settings',
    '/projects/shop/change-requests/7',
    '/projects/shop/features/checkout',
    '/projects/shop/features/checkout/strategies/edit',
    '/projects/shop/features/50%',
  ])('%s stays', (path) => {
    expect(findNewAddress(path)).toBeUndefined();
  });

  test('leads to pages that exist', () => {
    const routes = readFileSync('lib/console/routes.ts', 'utf8').matchAll(/pattern: '([^']+)'/g);
    const patterns = [...routes].map(([, pattern = '']) => pattern);
    const paths = newAddresses.map(([, to]) => (to.split(/[?#]/)[0] ?? '').replaceAll(':', ''));
    expect(paths.filter((path) => !patterns.some((pattern) => matchPath(pattern, path) !== undefined))).toEqual([]);
  });
});
