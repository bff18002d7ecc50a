import { describe, expect, test } from 'vitest';
import { type KeyedRequest, requestIdentityOf } from '../../../lib/idempotency/request-identity.ts';

const request: KeyedRequest = { key: 'k', secret: 'user:1', method: 'POST', path: '/a', query: '', body: '{}' };
const { id, fingerprint, earlierFingerprint } = requestIdentityOf(request);

describe('A request under a key', () => {
  test('is the same when all is the same', () => {
    expect(requestIdentityOf({ ...request })).toEqual({ id, fingerprint, earlierFingerprint });
  });

  test.each([{ method: 'PUT' }, { path: '/b' }, { query: 'a=1' }, { body: '{ }' }, { ifMatch: '"1"' }])(
    'differs from one with %j',
    (change) => {
      const other = requestIdentityOf({ ...request, ...change });
      expect(other.id).toBe(id);
      expect(other.fingerprint).not.toBe(fingerprint);
    },
  );

  test('differs by its path and its query where it has both', () => {
    const [one, ...others] = [{ query: 'a=1' }, { query: 'a=2' }, { path: '/b', query: 'a=1' }].map(
      (change) => requestIdentityOf({ ...request, ...change }).fingerprint,
    );
    for (const other of others) expect(other).not.toBe(one);
  });

  test.each([{ key: 'l' }, { secret: 'user:2' }])('has nothing to do with the same one of %j', (change) => {
    const other = requestIdentityOf({ ...request, ...change });
    expect(other.id).not.toBe(id);
    // Who knows neither cannot try bodies until one fits.
    expect(other.fingerprint).not.toBe(fingerprint);
  });

  test('is not taken for one whose parts are the same when they are put together', () => {
    expect(requestIdentityOf({ ...request, secret: 'user:1k', key: 'k' }).id).not.toBe(
      requestIdentityOf({ ...request, secret: 'user:1', key: 'kk' }).id,
    );
  });

  test('tells neither the key nor the caller', () => {
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('A key', () => {
  test.each(['!', '~', 'a'.repeat(255)])('may be %j', (key) => {
    expect(() => requestIdentityOf({ ...request, key })).not.toThrow();
  });

  test.each(['', ' ', 'a b', ' a', 'a ', 'a\n', '\u007f', 'ä', 'a'.repeat(256)])('may not be %j', (key) => {
    expect(() => requestIdentityOf({ ...request, key })).toThrow(
      expect.objectContaining({ name: 'ValidationError', message: expect.stringContaining('idempotency-key') }),
    );
  });
});
