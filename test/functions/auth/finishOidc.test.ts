import { beforeEach, describe, expect, test } from 'vitest';
import { oidcProviderSettings, signOnAt } from '../../harness/oidc-provider.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { cookieIn, fromOwnPage } from '../../harness/sign-in.ts';
import { specify } from '../../specifications/specify.ts';

const path = '/auth/oidc/settings';
const anonymous = { token: null };

specify('finishOidc', {
  route: 'GET /auth/oidc/callback',
  may: 'anyone',
  request: async (world) => {
    await world.ask('POST', `/api/admin${path}`, await oidcProviderSettings());
    const begun = await world.ask('GET', '/auth/oidc/login');
    const [, query] = (await signOnAt(begun, { email: `${world.name('user')}@example.com` })).split('?');
    // The user is created before their session begins.
    return { headers: { cookie: cookieIn(begun) }, query: Object.fromEntries(new URLSearchParams(query)), stages: 2 };
  },
  again: 401,
  waits: 6,
});

let service: Service;
beforeEach(async () => {
  service = await freshService();
  await service.post(`/api/admin${path}`, await oidcProviderSettings());
});

const begin = () => service.get('/auth/oidc/login', anonymous);
const finish = (target: string, cookie = '') => service.get(target, { ...anonymous, headers: { cookie } });
const email = 'zoe@example.com';

describe('Signing on by OIDC', () => {
  test('creates a user with the default role, signs them in, and ends at the identity provider', async () => {
    const begun = await begin();
    const answer = await finish(await signOnAt(begun, { email, name: 'Zoe' }), cookieIn(begun));
    expect(answer).toMatchObject({ status: 302, headers: { location: '/projects' } });
    const cookie = cookieIn(answer);
    const { body } = await service.get('/api/admin/user', { ...anonymous, headers: { cookie } });
    expect(body.user).toMatchObject({ email, name: 'Zoe', rootRole: 2 });
    const out = await service.call('POST', '/logout', { ...anonymous, headers: { cookie, ...fromOwnPage } });
    expect(out.headers.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/endsession\?/);
  });

  test('asks with a state, a nonce and a challenge that are others each time', async () => {
    const [one, other] = [await begin(), await begin()].map(({ headers }) => new URL(headers.location ?? ''));
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.searchParams.get(name)?.length).toBeGreaterThan(20);
      expect(one?.searchParams.get(name)).not.toBe(other?.searchParams.get(name));
    }
    expect(one?.searchParams.get('redirect_uri')).toBe('http://localhost/auth/oidc/callback');
  });
});

describe('An answer is refused, in the same words and with nothing changed,', () => {
  const wrong: Record<string, object> = {
    'to another sign-on': { nonce: 'another' },
    'for another service': { aud: 'another' },
    'of another issuer': { iss: 'https://evil.example' },
    'that has expired': { exp: 1 },
    'of a domain that is not allowed': { email: 'eve@evil.example' },
    'of an address that was not verified': { email_verified: false },
    'that names nobody': { email: undefined },
  };
  test.each(Object.entries(wrong))('%s', async (_what, claims) => {
    const begun = await begin();
    const answer = await finish(await signOnAt(begun, { email, ...claims }), cookieIn(begun));
    expect(answer).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } });
    expect(answer.body.message).toMatch(/^The single sign-on was refused/);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect((await service.get('/api/admin/user-admin')).body.users).toHaveLength(1);
  });

  test('in another browser than the one that has begun it, with another state, or without a code', async () => {
    const begun = await begin();
    const [back, cookie] = [await signOnAt(begun, { email }), cookieIn(begun)];
    expect((await finish(back)).status).toBe(401);
    expect((await finish(back, cookieIn(await begin()))).status).toBe(401);
    expect((await finish(back.replace(/state=[\w-]+/, 'state=other'), cookie)).status).toBe(401);
    expect((await finish(back.replace(/code=[\w-]+/, 'code=other'), cookie)).status).toBe(401);
    expect((await finish('/auth/oidc/callback', cookie)).status).toBe(401);
  });

  test('that was given before', async () => {
    const begun = await begin();
    const back = await signOnAt(begun, { email });
    expect((await finish(back, cookieIn(begun))).status).toBe(302);
    expect((await finish(back, cookieIn(begun))).status).toBe(401);
  });

  test('while single sign-on is off', async () => {
    await service.post(`/api/admin${path}`, { ...(await oidcProviderSettings()), enabled: false });
    expect((await begin()).status).toBe(401);
  });
});
