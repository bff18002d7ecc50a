import { describe, expect, test } from 'vitest';
import { formOf, hashOf, newSecret, secretIn, withoutTokens } from '../../../lib/users/token.ts';

describe('A secret', () => {
  test('has the form that Unleash gives its kind, and is known by it', () => {
    expect(newSecret('admin')).toMatch(/^\*:\*\.[0-9a-f]{56}$/);
    expect(newSecret('user')).toMatch(/^user:[0-9a-f]{56}$/);
    expect(formOf(newSecret('admin'))).toBe('admin');
    expect(formOf(newSecret('user'))).toBe('user');
  });

  test.each([
    [['shop'], /^shop:development\.[0-9a-f]{56}$/],
    [['*'], /^\*:development\.[0-9a-f]{56}$/],
    [['shop', 'blog'], /^\[\]:development\.[0-9a-f]{56}$/],
  ])('of an SDK says which projects and which environment it is for: %j', (projects, form) => {
    const secret = newSecret({ projects, environment: 'development' });
    expect(secret).toMatch(form);
    expect(formOf(secret)).toBe('sdk');
  });

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 100 }, () => newSecret('admin'))).size).toBe(100);
  });

  test('may have been made elsewhere, of up to 512 visible characters', () => {
    expect(formOf('*:*.!')).toBe('admin');
    expect(formOf('user:~')).toBe('user');
    expect(formOf('user:'.padEnd(512, 'x'))).toBe('user');
    expect(formOf("my_project.v2:it's~(a)!name.secret.with.dots")).toBe('sdk');
    expect(formOf('default:development.unleash-insecure-api-token')).toBe('sdk');
  });

  test('is hidden in a path, as that of an invitation is', () => {
    const invitation = '0123456789abcdef'.repeat(2);
    expect(withoutTokens(`/invite/${invitation}/signup`)).toBe('/invite/***/signup');
    expect(withoutTokens(`/api/admin/api-tokens/${encodeURIComponent(newSecret('admin'))}`)).toBe(
      '/api/admin/api-tokens/***',
    );
    expect(withoutTokens('/api/admin/projects/0123456789abcdef/features/a')).toBe(
      '/api/admin/projects/0123456789abcdef/features/a',
    );
  });

  test.each([
    ['', 'nothing at all'],
    ['*:*.', 'a prefix alone'],
    ['user:', 'a prefix alone'],
    ['xuser:1', 'a prefix that does not come first'],
    ['default:development', 'a project and an environment alone'],
    ['default:development.', 'a prefix alone'],
    [':development.1', 'no project'],
    ['default:.1', 'no environment'],
    ['a/b:development.1', 'a project that is no name'],
    ['USER:1', 'a prefix in capitals'],
    ['user:a b', 'a space'],
    [' user:a', 'a space at the begin'],
    ['user:a\n', 'a line feed at the end'],
    ['user:ä', 'a letter outside ASCII'],
    ['user:'.padEnd(513, 'x'), 'more than 512 characters'],
  ])('is not %j: %s', (text) => {
    expect(formOf(text)).toBeUndefined();
  });

  test('is stored as its SHA-256', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('An authorization header', () => {
  test.each(['user:1', 'Bearer user:1', 'bearer user:1', 'BEARER   user:1', '  user:1 ', ' Bearer user:1 '])(
    'of %j holds the secret',
    (header) => {
      expect(secretIn(header)).toBe('user:1');
    },
  );

  test.each(['Beareruser:1', 'Basic user:1', 'x Bearer user:1'])('of %j stays what it is', (header) => {
    expect(secretIn(header)).toBe(header);
  });

  test('that is missing holds none', () => {
    expect(secretIn(undefined)).toBeUndefined();
  });
});
