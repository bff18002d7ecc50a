import { describe, expect, test } from 'vitest';
import {
  beginningOf,
  couldBeOfSdk,
  formOf,
  hashOf,
  idIn,
  isAdminSecret,
  isSdkSecret,
  maskedSecret,
  newSecret,
  scopeIn,
  secretIn,
  withoutTokens,
} from '../../../../lib/identity/tokens/token.ts';

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

  test('states its scope: an environment may have dots in its name, and the longest that there is counts', () => {
    const environments = ['eu', 'eu.production', 'us'].map((name) => ({ name }));
    const [of, several] = ['shop', '[]'].map(
      (project) => (rest: string) => scopeIn(`${project}:${rest}`, environments),
    );
    expect(of?.('eu.production.x')).toEqual({ projects: ['shop'], environment: 'eu.production' });
    expect(of?.('eu.staging.x')).toEqual({ projects: ['shop'], environment: 'eu' });
    expect(of?.('asia.production.x')).toEqual({ projects: ['shop'], environment: 'asia' });
    expect(several?.('us.x')).toEqual({ environment: 'us' });
    expect(scopeIn('user:x', environments)).toEqual({});
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
    for (const length of [40, 56, 64, 128]) expect(formOf('0a'.repeat(length / 2))).toBe('bare');
  });

  test('is hidden in a path, as that of an invitation is', () => {
    const invitation = '0123456789abcdef'.repeat(2);
    expect(withoutTokens(`/invite/${invitation}/signup`)).toBe('/invite/***/signup');
    expect(withoutTokens(`/api/admin/api-tokens/${encodeURIComponent(newSecret('admin'))}`)).toBe(
      '/api/admin/api-tokens/***',
    );
    // An escaped slash is one to those who look for the endpoint.
    expect(withoutTokens(`/api/admin/api-tokens%2F${newSecret('admin')}%2f`)).toBe('/api/admin/api-tokens%2F***%2f');
    expect(withoutTokens('/api/admin/projects/0123456789abcdef/features/a')).toBe(
      '/api/admin/projects/0123456789abcdef/features/a',
    );
    expect(withoutTokens('/api/admin/tags/%E0%A4%A/*:*.secret')).toBe('/api/admin/tags/%E0%A4%A/***');
  });

  test('of the environment may be an admin token or one that says what it is for, and nothing else', () => {
    const ofSdk = newSecret({ projects: ['shop'], environment: 'development' });
    const ofSeveral = newSecret({ projects: ['shop', 'blog'], environment: 'development' });
    const secrets = [newSecret('admin'), newSecret('user'), ofSdk, ofSeveral, '0a'.repeat(28), 'no token'];
    expect(secrets.map(isAdminSecret)).toEqual([true, false, false, false, false, false]);
    expect(secrets.map(isSdkSecret)).toEqual([false, false, true, false, false, false]);
    expect(secrets.map(couldBeOfSdk)).toEqual([false, false, true, true, true, false]);
  });

  test('shows eight characters of its random part, and of a short one no more than an eighth', () => {
    expect(beginningOf(`*:*.${'0123456789abcdef'.repeat(4)}`)).toBe('01234567');
    expect(beginningOf(`shop:development.with.dots.${'0123456789abcdef'.repeat(2)}`)).toBe('0123');
    expect(beginningOf('*:*.0123456789abcdef')).toBe('01');
    expect(beginningOf('*:*.0123456')).toBe('');
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
    ['0a'.repeat(19), 'fewer digits than any release of Unleash made'],
    ['0a'.repeat(65), 'more digits than any release of Unleash made'],
    ['0A'.repeat(28), 'digits in capitals'],
  ])('is not %j: %s', (text) => {
    expect(formOf(text)).toBeUndefined();
  });

  test('is stored as its SHA-256', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('A token in a list', () => {
  const id = '0123456789abcdef';

  test('shows where it is good, the beginning of its secret, that it is masked, and its id, by which a path may name it', () => {
    const ofSdk = maskedSecret({ projects: ['shop'], environment: 'development' }, '0123', id);
    expect(ofSdk).toBe(`shop:development.0123***masked-since-shown-once***${id}`);
    expect(maskedSecret('admin', '', id)).toBe(`*:*.***masked-since-shown-once***${id}`);
    for (const named of [ofSdk, maskedSecret('admin', '', id), id]) expect(idIn(named)).toBe(id);
  });

  test.each([
    ['', 'nothing at all'],
    [`*:*.0123${id}`, 'a secret that ends like an id'],
    [`*:*.0123**${id}`, 'two stars'],
    [`***${id} `, 'a space at the end'],
    [`${id}0`, 'a character more'],
    [id.slice(1), 'a character less'],
    [id.toUpperCase(), 'capitals'],
    ['ghijklmnopqrstuv', 'other letters'],
  ])('is not named by %j: %s', (text) => {
    expect(idIn(text)).toBeUndefined();
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
