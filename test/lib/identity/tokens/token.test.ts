import { describe, expect, test } from 'vitest';
import {
  formOf,
  hashOf,
  hideTokens,
  isAdminSecret,
  isSdkSecret,
  makeSecret,
  maskSecret,
  mayBeSdkSecret,
  parseAuthorization,
  parseScope,
  parseTokenId,
  startOfSecret,
} from '../../../../lib/identity/tokens/token.ts';

describe('A secret', () => {
  test('has the format that Unleash has for its kind', () => {
    expect(makeSecret('admin')).toMatch(/^\*:\*\.[0-9a-f]{56}$/);
    expect(makeSecret('user')).toMatch(/^user:[0-9a-f]{56}$/);
    expect(formOf(makeSecret('admin'))).toBe('admin');
    expect(formOf(makeSecret('user'))).toBe('user');
  });

  test.each([
    [['shop'], /^shop:development\.[0-9a-f]{56}$/],
    [['*'], /^\*:development\.[0-9a-f]{56}$/],
    [['shop', 'blog'], /^\[\]:development\.[0-9a-f]{56}$/],
  ])('of an SDK states its projects and environment: %j', (projects, form) => {
    const secret = makeSecret({ projects, environment: 'development' });
    expect(secret).toMatch(form);
    expect(formOf(secret)).toBe('sdk');
  });

  test('states the longest existing environment that it begins with, since names may contain dots', () => {
    const environments = ['eu', 'eu.production', 'us'].map((name) => ({ name }));
    const [of, several] = ['shop', '[]'].map(
      (project) => (rest: string) => parseScope(`${project}:${rest}`, environments),
    );
    expect(of?.('eu.production.x')).toEqual({ projects: ['shop'], environment: 'eu.production' });
    expect(of?.('eu.staging.x')).toEqual({ projects: ['shop'], environment: 'eu' });
    expect(of?.('asia.production.x')).toEqual({ projects: ['shop'], environment: 'asia' });
    expect(several?.('us.x')).toEqual({ environment: 'us' });
    expect(parseScope('user:x', environments)).toEqual({});
  });

  test('is different each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => makeSecret('admin'))).size).toBe(100);
  });

  test('of another server is accepted if it has up to 512 visible characters', () => {
    expect(formOf('*:*.!')).toBe('admin');
    expect(formOf('user:~')).toBe('user');
    expect(formOf('user:'.padEnd(512, 'x'))).toBe('user');
    expect(formOf("my_project.v2:it's~(a)!name.secret.with.dots")).toBe('sdk');
    expect(formOf('default:development.unleash-insecure-api-token')).toBe('sdk');
    for (const length of [40, 56, 64, 128]) expect(formOf('0a'.repeat(length / 2))).toBe('bare');
  });

  test('is hidden in a path, as an invitation is', () => {
    const invitation = '0123456789abcdef'.repeat(2);
    expect(hideTokens(`/invite/${invitation}/signup`)).toBe('/invite/***/signup');
    expect(hideTokens(`/api/admin/api-tokens/${encodeURIComponent(makeSecret('admin'))}`)).toBe(
      '/api/admin/api-tokens/***',
    );
    // The router takes an escaped slash for a slash.
    expect(hideTokens(`/api/admin/api-tokens%2F${makeSecret('admin')}%2f`)).toBe('/api/admin/api-tokens%2F***%2f');
    expect(hideTokens('/api/admin/projects/0123456789abcdef/features/a')).toBe(
      '/api/admin/projects/0123456789abcdef/features/a',
    );
    expect(hideTokens('/api/admin/tags/%E0%A4%A/*:*.secret')).toBe('/api/admin/tags/%E0%A4%A/***');
  });

  test.each([
    ...['%s%20', '%s%0A', '%09%s', 'Bearer%20%s', 'Bearer+%s', '%22%s%22', "'%s'", '%EF%BB%BF%s', '%E0%A4%s'],
    ...['token=%s', '(%s)', '<%s>', 'a,%s', '%s?'],
  ])('is hidden in a path as part of %j, also escaped several times', (pasted) => {
    const scope = { projects: ['shop'], environment: 'development' };
    const secrets = [makeSecret('admin'), makeSecret('user'), makeSecret(scope), '0a'.repeat(28), '0a'.repeat(16)];
    for (const secret of secrets) {
      const escaped = secret.replaceAll(/[^0-9a-z]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
      const twice = escaped.replaceAll('%', '%25');
      for (const written of [secret, escaped, twice, twice.replaceAll('%', '%25'), twice.replaceAll('2', '%32')]) {
        expect(hideTokens(`/api/${pasted.replace('%s', () => written)}/x`)).toBe('/api/***/x');
      }
    }
  });

  test('is told apart by its format: an admin token, an SDK token, an SDK token that states its scope', () => {
    const ofSdk = makeSecret({ projects: ['shop'], environment: 'development' });
    const ofSeveral = makeSecret({ projects: ['shop', 'blog'], environment: 'development' });
    const secrets = [makeSecret('admin'), makeSecret('user'), ofSdk, ofSeveral, '0a'.repeat(28), 'no token'];
    expect(secrets.map(isAdminSecret)).toEqual([true, false, false, false, false, false]);
    expect(secrets.map(isSdkSecret)).toEqual([false, false, true, false, false, false]);
    expect(secrets.map(mayBeSdkSecret)).toEqual([false, false, true, true, true, false]);
  });

  test('shows eight characters of its random part, and at most an eighth of a short one', () => {
    expect(startOfSecret(`*:*.${'0123456789abcdef'.repeat(4)}`)).toBe('01234567');
    expect(startOfSecret(`shop:development.with.dots.${'0123456789abcdef'.repeat(2)}`)).toBe('0123');
    expect(startOfSecret('*:*.0123456789abcdef')).toBe('01');
    expect(startOfSecret('*:*.0123456')).toBe('');
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

  test('shows its scope, the beginning of its secret, a mask, and its id, which a path may use', () => {
    const ofSdk = maskSecret({ projects: ['shop'], environment: 'development' }, '0123', id);
    expect(ofSdk).toBe(`shop:development.0123***masked-since-shown-once***${id}`);
    expect(maskSecret('admin', '', id)).toBe(`*:*.***masked-since-shown-once***${id}`);
    for (const named of [ofSdk, maskSecret('admin', '', id), id]) expect(parseTokenId(named)).toBe(id);
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
    expect(parseTokenId(text)).toBeUndefined();
  });
});

describe('An authorization header', () => {
  test.each(['user:1', 'Bearer user:1', 'bearer user:1', 'BEARER   user:1', '  user:1 ', ' Bearer user:1 '])(
    'of %j holds the secret',
    (header) => {
      expect(parseAuthorization(header)).toBe('user:1');
    },
  );

  test.each(['Beareruser:1', 'Basic user:1', 'x Bearer user:1'])('of %j stays what it is', (header) => {
    expect(parseAuthorization(header)).toBe(header);
  });

  test('that is missing holds none', () => {
    expect(parseAuthorization(undefined)).toBeUndefined();
  });
});
