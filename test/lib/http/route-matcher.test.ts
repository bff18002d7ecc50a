import { describe, expect, test } from 'vitest';
import { decodePath, matcherOf } from '../../../lib/http/route-matcher.ts';

const matcher = matcherOf([
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/things' },
  { method: 'POST', path: '/things' },
  { method: 'DELETE', path: '/things/{thing}' },
  { method: 'GET', path: '/things/{thing}' },
  { method: 'POST', path: '/things/validate' },
  { method: 'DELETE', path: '/things/All' },
  { method: 'GET', path: '/things/{thing}/parts/{part}' },
  { method: 'GET', path: '/things/all/parts/{part}' },
  { method: 'GET', path: '/{kind}/lamp/parts/one' },
  { method: 'GET', path: '/notes/{note}', freeText: ['note'] },
  { method: 'GET', path: '/notes/{note}/readers', freeText: ['note'] },
]);
const found = (method: string, path: string) => {
  const { route, parameters, path: normal } = matcher.find(method, path) ?? {};
  return route && [route.path, parameters, normal];
};

describe('A value with a slash', () => {
  const sent = (path: string) => {
    const { route, parameters } = matcher.find('GET', path, { isEncoded: true }) ?? {};
    return route && [route.path, parameters];
  };

  test.each([
    ['/things/a%2Fb', '/things/{thing}', { thing: 'a/b' }],
    ['/things/a%2fb/parts/c%2F%20d', '/things/{thing}/parts/{part}', { thing: 'a/b', part: 'c/ d' }],
    ['/notes/a%2Freaders', '/notes/{note}', { note: 'a/readers' }],
    ['/things/a%252Fb', '/things/{thing}', { thing: 'a%2Fb' }],
    ['/%74hings%2Flamp', '/things/{thing}', { thing: 'lamp' }],
  ])('is one value if the slash is escaped: %s', (path, route, parameters) => {
    expect(sent(path)).toEqual([route, parameters]);
  });

  test.each([
    ['/notes/a/b', '/notes/{note}', { note: 'a/b' }],
    ['/notes/a/b/c/readers', '/notes/{note}/readers', { note: 'a/b/c' }],
    ['/notes/a/readers', '/notes/{note}/readers', { note: 'a' }],
    ['/things/a/b', undefined, undefined],
    ['/notes', undefined, undefined],
  ])('is one value after a gateway has decoded it, if it may be any text: %s', (path, route, parameters) => {
    expect(found('GET', path)?.slice(0, 2)).toEqual(route && [route, parameters]);
    expect(matcher.allowOn(path)).toBe(route && 'GET, HEAD, OPTIONS');
  });
});

describe('A path matches the route', () => {
  test.each([
    ['GET', '/things', '/things', undefined],
    ['POST', '/things', '/things', undefined],
    ['HEAD', '/things', '/things', undefined],
    ['GET', '/things/lamp', '/things/{thing}', { thing: 'lamp' }],
    ['DELETE', '/things/all', '/things/All', undefined],
    ['GET', '/things/all', '/things/{thing}', { thing: 'all' }],
    ['GET', '/things/all/parts/one', '/things/all/parts/{part}', { part: 'one' }],
    ['GET', '/things/lamp/parts/one', '/things/{thing}/parts/{part}', { thing: 'lamp', part: 'one' }],
    ['GET', '/others/lamp/parts/one', '/{kind}/lamp/parts/one', { kind: 'others' }],
    ['GET', '/things/{thing}', '/things/{thing}', { thing: '{thing}' }],
    ['GET', '/things/__proto__', '/things/{thing}', { thing: '__proto__' }],
  ])('that is most specific, with its parameters: %s %s', (method, path, expected, parameters) => {
    expect(found(method, path)).toEqual([expected, parameters, expect.any(String)]);
  });

  test.each([
    ['/things/', '/things'],
    ['//things', '/things'],
    ['/THINGS', '/things'],
    ['/', '/'],
    ['//', '/'],
    ['///Things///Lamp//PARTS/One//', '/things/Lamp/parts/One'],
  ])('regardless of slashes and case, except in its parameters: %s', (path, normal) => {
    expect(matcher.find('GET', path)?.path).toBe(normal);
  });

  test.each([
    ['GET', '/things/a/b'],
    ['GET', '/unknown'],
    ['GET', ''.padEnd(9_000, '/a')],
    ['PUT', '/things'],
    ['get', '/things'],
    ['OPTIONS', '/things'],
  ])('or to none: %s %.20s', (method, path) => {
    expect(found(method, path)).toBeUndefined();
  });
});

test.each([
  ['/things', 'GET, HEAD, POST, OPTIONS'],
  ['/things/a', 'DELETE, GET, HEAD, OPTIONS'],
  ['/things/validate', 'POST, DELETE, GET, HEAD, OPTIONS'],
  ['//Things/All/', 'DELETE, GET, HEAD, OPTIONS'],
  ['/things/a/b', undefined],
])('The methods of %s are %s', (path, expected) => {
  expect(matcher.allowOn(path)).toBe(expected);
});

test.each([
  ['/a%20b/%E2%82%AC', '/a b/€'],
  ['/a%2541', '/a%41'],
  ['/a%2Fb', '/a/b'],
  ['/%zz/%20', '/%zz/ '],
])('A path is decoded once, except for invalid escapes: %s', (path, decoded) => {
  expect(decodePath(path)).toBe(decoded);
});
