import { afterEach, describe, expect, test, vi } from 'vitest';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { oidcProviderSettings } from '../../harness/oidc-provider.ts';
import { samlProviderSettings } from '../../harness/saml-provider.ts';
import { cookieIn, fromOwnPage } from '../../harness/sign-in.ts';
import { worldForEach } from '../../specifications/specify.ts';

const { service, world } = worldForEach();
afterEach(() => {
  vi.useRealTimers();
});

const hour = 60 * 60 * 1000;
const ask = (cookie: string, headers: object = {}) =>
  service.get('/api/admin/user', { token: null, headers: { cookie, ...headers } });
/** Creates a segment, as a form or a script in a browser could have it done. */
const change = (cookie: string, headers: Readonly<Record<string, string>>) =>
  service.call('POST', '/api/admin/segments', {
    token: null,
    body: { name: world.name('segment'), constraints: [] },
    headers: { cookie, ...headers },
  });

describe('A session', () => {
  test('has the rights of its user: reads for a Viewer, more for an Editor', async () => {
    const [viewer, editor] = [await world.session(), await world.session({ rootRole: 'Editor' })];
    expect((await ask(viewer)).status).toBe(200);
    expect((await change(viewer, fromOwnPage)).status).toBe(403);
    expect((await change(editor, fromOwnPage)).status).toBe(201);
  });

  test('is not accepted at the paths of SDKs, which require tokens', async () => {
    const cookie = await world.session({ rootRole: 'Admin' });
    for (const path of ['/api/client/features', '/api/frontend']) {
      const answer = await service.get(path, { token: null, headers: { cookie } });
      expect(answer).toMatchObject({ status: 401 });
      expect(answer.body).not.toHaveProperty('type');
    }
  });

  test('is ignored if a token is sent as well, valid or not', async () => {
    const cookie = await world.session();
    expect((await service.get('/api/admin/user', { headers: { cookie } })).body.user.id).toBe(-42);
    const bad = await service.get('/api/admin/user', { token: 'user:unknown', headers: { cookie } });
    expect(bad.status).toBe(401);
  });

  test('that does not exist is refused, and the reply lists the ways to sign in', async () => {
    const cookie = await world.session();
    const [name, secret = ''] = cookie.split('=');
    const others = ['', 'x', `1.${'a'.repeat(43)}`, secret.toUpperCase(), `${secret}a`, `0${secret}`];
    for (const other of others) {
      expect(await ask(`${name}=${other}`)).toMatchObject({
        status: 401,
        body: { type: 'password', path: '/auth/simple/login', defaultHidden: false },
      });
    }
    expect((await ask(`other=1; ${cookie}; more=2`)).status).toBe(200);
  });

  test('that does not exist gets a 401 that lists the identity providers, and says whether passwords are disabled', async () => {
    const none = async (path = '/api/admin/user') => (await service.get(path, { token: null })).body;
    await world.ask('POST', '/api/admin/auth/saml/settings', samlProviderSettings);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs });
    const saml = { type: 'saml', message: 'Sign in with SAML', path: '/auth/saml/login' };
    expect(await none()).toMatchObject({ type: 'password', defaultHidden: false, options: [saml] });
    await world.ask('POST', '/api/admin/auth/oidc/settings', await oidcProviderSettings());
    await world.ask('POST', '/api/admin/auth/simple/settings', { disabled: true });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs });
    const oidc = { type: 'oidc', message: 'Sign in with OpenID Connect', path: '/auth/oidc/login' };
    expect(await none()).toMatchObject({ type: 'password', defaultHidden: true, options: [saml, oidc] });
    expect(await none('/api/admin/projects')).not.toHaveProperty('options');
    expect((await service.get('/api/admin/ui-config')).body.disablePasswordAuth).toBe(true);
  });

  test('lasts for two days without use, and is extended by use', async () => {
    const start = Date.now();
    const at = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: start + ms });
    const [used, unused] = [await world.session(), await world.session()];
    expect((await ask(used)).headers).not.toHaveProperty('set-cookie');
    at(47 * hour);
    const answer = await ask(used);
    expect(answer.headers['set-cookie']).toBe(`${used}; Path=/; Max-Age=172800; HttpOnly; SameSite=Lax`);
    at(49 * hour);
    expect((await ask(used)).status).toBe(200);
    // The store takes its time to clear away what has expired.
    expect((await ask(unused)).status).toBe(401);
  });

  test('ends with its user, even for operations that do not load the user', async () => {
    const { id, username, password } = await world.person();
    const cookie = cookieIn(await service.post('/auth/simple/login', { username, password }));
    expect((await ask(cookie)).status).toBe(200);
    await world.ask('DELETE', `/api/admin/user-admin/${id}`);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs });
    expect((await ask(cookie)).status).toBe(401);
    const headers = { cookie };
    expect((await service.get('/api/admin/tag-types', { token: null, headers })).status).toBe(401);
  });
});

describe('A change by a session', () => {
  test('is refused if it comes from a page of another site, even with the cookie prefix for TLS', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
    const cookie = `__Host-${await world.session({ rootRole: 'Admin' })}`;
    const elsewhere = await change(cookie, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' });
    expect(elsewhere).toMatchObject({ status: 403, body: { name: 'NoAccessError' } });
    expect((await change(cookie, { origin: 'https://flags.example.com' })).status).toBe(201);
  });

  test('is refused in a content type that a form can send, even if any body is accepted', async () => {
    const cookie = await world.session({ rootRole: 'Admin' });
    const { place } = await world.feature();
    const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/environments/${place.environment}/on`;
    const send = (body: string | undefined, type: string) =>
      service.call('POST', path, { token: null, body, headers: { cookie, 'content-type': type, ...fromOwnPage } });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'xjson']) {
      expect((await send('{}', type)).status).toBe(415);
    }
    expect((await send('{}', 'application/json')).status).toBe(200);
    expect((await send(undefined, 'application/x-www-form-urlencoded')).status).toBe(200);
  });

  test('is refused before any other check', async () => {
    const cookie = await world.session();
    const answer = await service.call('POST', '/api/admin/segments', { token: null, body: '{', headers: { cookie } });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toContain('Sec-Fetch-Site');
  });

  test('with an idempotency key belongs to its session: another session does not get its reply', async () => {
    const key = { 'idempotency-key': 'same-key', ...fromOwnPage };
    const body = { name: 'one', constraints: [] };
    const send = async () =>
      service.call('POST', '/api/admin/segments', {
        token: null,
        body,
        headers: { cookie: await world.session({ rootRole: 'Admin' }), ...key },
      });
    expect((await send()).status).toBe(201);
    expect((await send()).status).toBe(409);
  });
});
