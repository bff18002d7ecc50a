import { expect, test, vi } from 'vitest';
import { assertNotCrossOrigin, assertSameOrigin } from '../../../lib/http/same-origin.ts';

const host = 'flags.example.com';

/** Tells whether a change with a session is accepted with these headers, and one that needs no caller. */
function taken(
  headers: Readonly<Record<string, string>>,
  publicUrl = `https://${host}`,
): [withSession: boolean, withoutCaller: boolean] {
  vi.stubEnv('PUBLIC_URL', publicUrl);
  const event = { headers } as never;
  return [assertSameOrigin, assertNotCrossOrigin].map((assert) => {
    try {
      assert(event);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ name: 'NoAccessError', message: expect.stringContaining('Sec-Fetch-Site') });
      return false;
    }
  }) as [boolean, boolean];
}

test.each([
  ['of this origin, as a browser says', { 'sec-fetch-site': 'same-origin' }, [true, true]],
  ['of another site', { 'sec-fetch-site': 'cross-site' }, [false, false]],
  ['of another host of this site', { 'sec-fetch-site': 'same-site' }, [false, false]],
  ['that somebody has typed', { 'sec-fetch-site': 'none' }, [false, false]],
  ['of this origin, by its name', { origin: `https://${host}` }, [true, true]],
  ['of another origin, by its name', { origin: 'https://evil.example.com' }, [false, false]],
  [
    'of another origin that claims to be this one',
    { 'sec-fetch-site': 'cross-site', origin: `https://${host}` },
    [false, false],
  ],
  [
    'of another origin that says it is this host',
    { origin: 'https://evil.example.com', host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' },
    [false, false],
  ],
  ['of a sandboxed page', { origin: 'null' }, [false, false]],
  ['that says nothing of where it comes from', {}, [false, true]],
])('A request %s is accepted with a session, or for signing in, as expected: %j', (_what, headers, expected) => {
  expect(taken(headers as Record<string, string>)).toEqual(expected);
});

test.each(['http://localhost:4242', 'http://127.0.0.1:4242', 'http://[::1]:4242'])(
  'A page of %s counts as one of this machine, whatever name the browser uses',
  (origin) => {
    expect(taken({ origin }, 'http://localhost:4242')).toEqual([true, true]);
    expect(taken({ origin }, 'http://localhost:4243')).toEqual([false, false]);
    expect(taken({ origin }, 'http://127.0.0.1.example:4242')).toEqual([false, false]);
  },
);

test('A page of this machine may omit the default port', () => {
  expect(taken({ origin: 'http://127.0.0.1' }, 'http://localhost')).toEqual([true, true]);
});

test('A refusal names the address of the service, or the setting for it', () => {
  const refused = (publicUrl: string) => () => {
    vi.stubEnv('PUBLIC_URL', publicUrl);
    assertSameOrigin({ headers: {} } as never);
  };
  expect(refused(`https://${host}`)).toThrow(`open it at https://${host}, or`);
  expect(refused('')).toThrow('set PUBLIC_URL to its address, or');
});

test('Without a known address of the service, a page needs Sec-Fetch-Site', () => {
  expect(taken({ origin: 'http://192.0.2.7:4242', host: '192.0.2.7:4242' }, '')).toEqual([false, false]);
  expect(taken({ 'sec-fetch-site': 'same-origin' }, '')).toEqual([true, true]);
});
