import { expect, test } from 'vitest';
import { assertNotCrossOrigin, assertSameOrigin } from '../../../lib/http/same-origin.ts';

const host = 'flags.example.com';

/** Whether a change with a session is taken, and one that needs no caller, with these headers. */
function taken(headers: Readonly<Record<string, string>>): [withSession: boolean, withoutCaller: boolean] {
  const event = { headers: { host, 'x-forwarded-proto': 'https', ...headers } } as never;
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
  ['of a sandboxed page', { origin: 'null' }, [false, false]],
  ['that says nothing of where it comes from', {}, [false, true]],
])('A request %s is taken with a session, and for signing in: %j', (_what, headers, expected) => {
  expect(taken(headers as Record<string, string>)).toEqual(expected);
});
