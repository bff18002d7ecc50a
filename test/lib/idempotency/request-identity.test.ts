import { describe, expect, test } from 'vitest';
import { type KeyedRequest, requestIdentityOf } from '../../../lib/idempotency/request-identity.ts';

const request: KeyedRequest = { key: 'k', secret: 'user:1', method: 'POST', path: '/a', query: '', body: '{}' };
const { id, fingerprint, earlierFingerprint } = requestIdentityOf(request);

describe('The identity of a request', () => {
  test('is the same for the same request', () => {
    expect(requestIdentityOf({ ...request })).toEqual({ id, fingerprint, earlierFingerprint });
  });

  test.each([{ method: 'PUT' }, { path: '/b' }, { query: 'a=1' }, { body: '{ }' }, { ifMatch: '"1"' }])(
    'has another fingerprint with %j',
    (change) => {
      const other = requestIdentityOf({ ...request, ...change });
      expect(other.id).toBe(id);
      expect(other.fingerprint).not.toBe(fingerprint);
    },
  );

  test('has a fingerprint of both path and query', () => {
    const [one, ...others] = [{ query: 'a=1' }, { query: 'a=2' }, { path: '/b', query: 'a=1' }].map(
      (change) => requestIdentityOf({ ...request, ...change }).fingerprint,
    );
    for (const other of others) expect(other).not.toBe(one);
  });

  test.each([{ key: 'l' }, { secret: 'user:2' }])('has another id and fingerprint for %j', (change) => {
    const other = requestIdentityOf({ ...request, ...change });
    expect(other.id).not.toBe(id);
    // Without the secret and the key, nobody can try bodies until the fingerprint matches.
    expect(other.fingerprint).not.toBe(fingerprint);
  });

  test('differs from that of a request whose parts only look the same when joined', () => {
    expect(requestIdentityOf({ ...request, secret: 'user:1k', key: 'k' }).id).not.toBe(
      requestIdentityOf({ ...request, secret: 'user:1', key: 'kk' }).id,
    );
  });

  test('reveals neither the key nor the caller', () => {
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('An idempotency key', () => {
  test.each(['!', '~', 'a'.repeat(255)])('may be %j', (key) => {
    expect(() => requestIdentityOf({ ...request, key })).not.toThrow();
  });

  test.each(['', ' ', 'a b', ' a', 'a ', 'a\n', '\u007f', 'ä', 'a'.repeat(256)])('may not be %j', (key) => {
    expect(() => requestIdentityOf({ ...request, key })).toThrow(
      expect.objectContaining({ name: 'ValidationError', message: expect.stringContaining('idempotency-key') }),
    );
  });
});
