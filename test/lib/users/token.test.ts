import { describe, expect, test } from 'vitest';
import { hashOf, kindOf, newSecret, secretIn } from '../../../lib/users/token.ts';

describe('A secret', () => {
  test('has the form that Unleash gives its kind, and is known by it', () => {
    expect(newSecret('admin')).toMatch(/^\*:\*\.[0-9a-f]{56}$/);
    expect(newSecret('user')).toMatch(/^user:[0-9a-f]{56}$/);
    expect(kindOf(newSecret('admin'))).toBe('admin');
    expect(kindOf(newSecret('user'))).toBe('user');
  });

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 100 }, () => newSecret('admin'))).size).toBe(100);
  });

  test('may have been made elsewhere, of up to 512 visible characters', () => {
    expect(kindOf('*:*.!')).toBe('admin');
    expect(kindOf('user:~')).toBe('user');
    expect(kindOf('user:'.padEnd(512, 'x'))).toBe('user');
  });

  test.each([
    ['', 'nothing at all'],
    ['*:*.', 'a prefix alone'],
    ['user:', 'a prefix alone'],
    ['x*:*.1', 'a prefix that does not come first'],
    ['default:development.1', 'a token of another kind'],
    ['USER:1', 'a prefix in capitals'],
    ['user:a b', 'a space'],
    [' user:a', 'a space at the begin'],
    ['user:a\n', 'a line feed at the end'],
    ['user:ä', 'a letter outside ASCII'],
    ['user:'.padEnd(513, 'x'), 'more than 512 characters'],
  ])('is not %j: %s', (text) => {
    expect(kindOf(text)).toBeUndefined();
  });

  test('is stored as its SHA-256', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('An authorization header', () => {
  test.each(['user:1', 'Bearer user:1', 'bearer user:1', 'BEARER   user:1'])('of %j holds the secret', (header) => {
    expect(secretIn(header)).toBe('user:1');
  });

  test.each(['Beareruser:1', 'Basic user:1', 'x Bearer user:1'])('of %j stays what it is', (header) => {
    expect(secretIn(header)).toBe(header);
  });

  test('that is missing holds none', () => {
    expect(secretIn(undefined)).toBeUndefined();
  });
});
