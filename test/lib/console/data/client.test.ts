import { afterEach, expect, test, vi } from 'vitest';
import { sendRequest, signedOut } from '../../../../lib/console/data/client.ts';
import { toWarningHeader } from '../../../../lib/http/middleware/respond.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  signedOut.value = undefined;
});

/** Sends a request to a service that warns of these. */
async function warningOf(...texts: string[]): Promise<string | undefined> {
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: toWarningHeader(new Set(texts)) }));
  return (await sendRequest('PUT', '/api/admin/projects')).warning;
}

test('A page reads what the service warns of', async () => {
  expect(await warningOf()).toBeUndefined();
  expect(await warningOf('Only Admins may approve.')).toBe('Only Admins may approve.');
  expect(await warningOf('The project "shop", so far.', 'Back\\slash.')).toBe(
    'The project "shop", so far. Back\\slash.',
  );
});

test('A page shows the identity providers that one answer lists, whatever the others say', async () => {
  signedOut.value = undefined;
  const options = [{ type: 'saml', message: 'Sign in with SAML', path: '/auth/saml/login' }];
  for (const body of [{ type: 'password' }, { type: 'password', options }, { type: 'password' }]) {
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 401 }));
    await sendRequest('GET', '/api/admin/projects').catch(() => {});
  }
  expect(signedOut.value).toMatchObject({ options });
});
