import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contentOf } from '../../harness/items.ts';
import { manageUser, switchScimTo } from '../../harness/managed.ts';
import { changed, oidcProviderSettings, signedByAnother, signOnAt, unsigned } from '../../harness/oidc-provider.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { cookieIn, fromOwnPage, givePassword, knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { World } from '../../harness/world.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { specify } from '../../specifications/specify.ts';

// The results are tested below, in finishOidc.
specify('startOidc', {
  route: 'GET /auth/oidc/login',
  may: 'anyone',
  given: async (world) => world.ask('POST', '/api/admin/auth/oidc/settings', await oidcProviderSettings()),
  again: 'once more',
  waits: 2,
});

/** The address of a server that says this wherever it is asked. */
async function serverThatSays(body: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It goes with its process.
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('With a provider that', () => {
  test.each([
    ['cannot be reached', async () => 'http://127.0.0.1:1'],
    ['sends no JSON', () => serverThatSays('<html>')],
    ['says that it is another one', () => serverThatSays(JSON.stringify({ issuer: 'https://other.example' }))],
  ])('%s, the refusal says so, the log says why, and passwords go on', async (_what, addressOf) => {
    const service = await freshService();
    const settings = { ...(await oidcProviderSettings()), discoverUrl: await addressOf() };
    expect((await service.post('/api/admin/auth/oidc/settings', settings)).status).toBe(200);
    const { log } = await linesWrittenBy(async () => {
      const answer = await service.get('/auth/oidc/login', { token: null });
      expect(answer).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } });
      expect(answer.body.message).toMatch(/^The identity provider cannot be reached/);
      const page = await service.get('/auth/oidc/login', { token: null, headers: { accept: 'text/html' } });
      expect(page).toMatchObject({ status: 401, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.text).toContain(answer.body.message);
      expect(page.text).toContain(`<code>${page.headers['x-request-id']}</code>`);
    });
    const line = { reason: expect.stringMatching(/^The metadata of the identity provider cannot be loaded: \w/) };
    expect(log).toMatchObject([line, line]);
    const { username, password } = await new World(service).person();
    expect((await sendSignIn(service, { username, password })).status).toBe(200);
  });
});

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
  waits: 7,
});

let service: Service;
async function open() {
  service = await freshService();
  await service.post(`/api/admin${path}`, await oidcProviderSettings());
}

const begin = () => service.get('/auth/oidc/login', anonymous);
const finish = (target: string, cookie = '') => service.get(target, { ...anonymous, headers: { cookie } });
/** Signs somebody on, with what `signOnAt` takes. */
async function signOn(claims: Readonly<Record<string, unknown>>, more = {}, edit?: (idToken: string) => string) {
  const begun = await begin();
  return finish(await signOnAt(begun, claims, more, edit), cookieIn(begun));
}
const userOf = async (cookie: string) =>
  (await service.get('/api/admin/user', { ...anonymous, headers: { cookie } })).body.user;
const email = 'zoe@example.com';
const idOf = async (address: string) => {
  const { body } = await service.get('/api/admin/user-admin');
  return body.users.find((user: { email?: string }) => user.email === address)?.id;
};

describe('Signing on by OIDC', () => {
  beforeEach(open);

  test('creates a user with the default role, signs them in, and ends at the identity provider', async () => {
    const answer = await signOn({ email, name: ' Zoe ' });
    expect(answer).toMatchObject({ status: 302, headers: { location: '/projects' } });
    const cookie = cookieIn(answer);
    expect(await userOf(cookie)).toMatchObject({ email, name: 'Zoe', rootRole: 2 });
    expect(JSON.stringify(await contentOf(service.table))).not.toContain('id_token_hint');
    const out = await service.call('POST', '/logout', { ...anonymous, headers: { cookie, ...fromOwnPage } });
    expect(out.headers.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/endsession\?.*id_token_hint=[\w-]+\.[\w-]+\./);
  });

  const rolesOf = async () => {
    const { body } = await service.get('/api/admin/user-admin');
    return body.users.map((user: { email?: string; rootRole: number }) => [user.email, user.rootRole]);
  };

  test('takes an address that the provider has verified, whether it says so as text or not at all', async () => {
    for (const claims of [{ email_verified: true }, { email_verified: 'true' }, {}]) {
      expect((await signOn({ email: "o'brien@example.com", ...claims })).status).toBe(302);
    }
  });

  test('asks the user info endpoint for an address that is not in the token, and believes it no more', async () => {
    expect((await signOn({}, { email, email_verified: true })).status).toBe(302);
    expect(await idOf(email)).toBeGreaterThan(0);
    expect((await signOn({}, { email: 'new@example.com', email_verified: false })).status).toBe(401);
    expect((await signOn({ email_verified: true }, { email: 'new@example.com', email_verified: 'no' })).status).toBe(
      401,
    );
    expect((await signOn({}, { email, sub: 'somebody else' })).status).toBe(401);
  });

  test('leaves out a name that breaks the rules for names', async () => {
    const cookie = cookieIn(await signOn({ email, name: 'n'.repeat(256) }));
    expect((await userOf(cookie)).name ?? '').toBe('');
  });

  test('refuses people whose default role is gone, and signs those in who are there', async () => {
    const { body } = await service.post('/api/admin/roles', { name: 'Starter', type: 'root-custom', permissions: [] });
    const settings = { ...(await oidcProviderSettings()), defaultRootRoleId: body.roles.id };
    await service.post(`/api/admin${path}`, settings);
    expect((await signOn({ email })).status).toBe(302);
    expect(await rolesOf()).toContainEqual([email, body.roles.id]);
    await service.put(`/api/admin/user-admin/${await idOf(email)}`, { rootRole: 3 });
    await service.call('DELETE', `/api/admin/roles/${body.roles.id}`);
    expect((await signOn({ email: 'new@example.com' })).status).toBe(401);
    expect((await signOn({ email })).status).toBe(302);
  });

  test('creates nobody where that is off, and asks administrators for an account once', async () => {
    await service.post(`/api/admin${path}`, { ...(await oidcProviderSettings()), autoCreate: false });
    for (const address of [email, email.toUpperCase(), 'eve@elsewhere.example']) {
      const answer = await signOn({ email: address, name: 'Zoe' });
      expect(answer.status).toBe(401);
      expect(answer.text.includes('no account here yet')).toBe(!address.startsWith('eve'));
    }
    await service.post('/api/admin/maintenance', { enabled: true });
    expect((await signOn({ email: 'new@example.com' })).status).toBe(401);
    await service.post('/api/admin/maintenance', { enabled: false });
    const { body } = await service.get('/api/admin/user-access-requests');
    expect(body.userAccessRequests).toMatchObject([{ email }]);
    const [{ id }] = body.userAccessRequests;
    await service.post(`/api/admin/user-access-requests/${id}/approve`, { rootRole: 'Editor' });
    const cookie = cookieIn(await signOn({ email }));
    expect(await userOf(cookie)).toMatchObject({ ...{ email, name: 'Zoe', rootRole: 2 } });
  });

  test('creates nobody during maintenance, and signs those in who are there', async () => {
    expect((await signOn({ email })).status).toBe(302);
    await service.post('/api/admin/maintenance', { enabled: true });
    expect((await signOn({ email: 'new@example.com' })).status).toBe(503);
    expect((await signOn({ email })).status).toBe(302);
    expect(await rolesOf()).toHaveLength(2);
  });

  test('refuses an answer that comes while the settings change: a new user as well as one who is there', async () => {
    expect((await signOn({ email })).status).toBe(302);
    for (const [count, address] of [email, 'new@example.com'].entries()) {
      const begun = await begin();
      const target = await signOnAt(begun, { email: address });
      const settings = { ...(await oidcProviderSettings()), emailDomains: `${count}.example.com, example.com` };
      const save = () => service.post(`/api/admin${path}`, settings);
      const answer = await betweenReadAndWrite(service.table, save, () => finish(target, cookieIn(begun)));
      expect(answer.status).toBe(401);
    }
    expect(await rolesOf()).toHaveLength(2);
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

describe('With SCIM, signing on by OIDC', () => {
  beforeEach(async () => {
    await open();
    await switchScimTo(service, true);
  });

  test('finds a person by the id in the directory, and changes neither name nor address', async () => {
    await signOn({ email, name: 'Zoe', sub: 'zoe-there' });
    const id = await idOf(email);
    for (const ids of [{ sub: 'zoe-there' }, { sub: 'another', oid: 'zoe-there' }]) {
      await manageUser(service, id, { externalId: 'zoe-there' });
      const cookie = cookieIn(await signOn({ email: 'zoe.new@example.com', name: 'Zoe New', ...ids }));
      expect(await userOf(cookie)).toMatchObject({ id, email, name: 'Zoe' });
    }
    expect((await service.get('/api/admin/user-admin')).body.users).toHaveLength(2);
  });

  test('refuses a deactivated person, and creates no second one', async () => {
    await signOn({ email, name: 'Zoe', sub: 'zoe-there' });
    await manageUser(service, await idOf(email), { externalId: 'zoe-there', isDeactivated: true });
    for (const address of [email, 'zoe.new@example.com']) {
      const answer = await signOn({ email: address, sub: 'zoe-there' });
      expect(answer).toMatchObject({ status: 401, body: { message: expect.stringMatching(/is deactivated/) } });
    }
    expect((await service.get('/api/admin/user-admin')).body.users).toHaveLength(2);
  });
});

describe('An answer is refused, in the same words and with nothing changed,', () => {
  beforeAll(open);

  const wrong: Record<string, object> = {
    'to another sign-on': { nonce: 'another' },
    'for another service': { aud: 'another' },
    'of another issuer': { iss: 'https://evil.example' },
    'that has expired': { exp: 1 },
    'of a domain that is not allowed': { email: 'eve@evil.example' },
    'of an address that was not verified': { email_verified: false },
    'of an address that was not verified, said as text': { email_verified: 'false' },
    'of an address that was not verified, said as a number': { email_verified: 0 },
    'of an address of which null says whether it was verified': { email_verified: null },
    'that names nobody': { email: undefined },
    'of an address that is longer than any': { email: `${'z'.repeat(243)}@example.com` },
    'of an address with a character that nobody sees': { email: 'zo\u200be@example.com' },
    'of an address with NUL': { email: 'zo\u0000e@example.com' },
  };
  test.each(Object.entries(wrong))('%s', async (_what, claims) => {
    const answer = await signOn({ email, ...claims });
    expect(answer).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } });
    expect(answer.body.message).toMatch(/^Single sign-on was refused/);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect((await service.get('/api/admin/user-admin')).body.users).toHaveLength(1);
  });

  const forged: Record<string, (idToken: string) => string> = {
    'signed by a key that the provider does not have': signedByAnother,
    'not signed, though the provider offers that': unsigned,
    'changed after it was signed': changed({ email: 'eve@example.com' }),
  };
  test.each(Object.entries(forged))('with an ID token %s', async (_what, edit) => {
    const answer = await signOn({ email }, {}, edit);
    expect(answer).toMatchObject({
      status: 401,
      body: { message: expect.stringMatching(/^Single sign-on was refused/) },
    });
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
});

describe('An answer is refused', () => {
  beforeEach(open);

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

describe('Somebody who came by an invitation with an address that nobody has checked', () => {
  beforeEach(open);

  const signUp = async () => {
    const world = new World(service);
    const person = { username: 'zoe', email, name: 'Zoe', password: knownPassword };
    const { body } = await service.post(`/invite/${await world.invitation()}/signup`, person, anonymous);
    const session = cookieIn(await sendSignIn(service, { username: 'zoe', password: knownPassword }));
    const own = { ...anonymous, headers: { cookie: session, ...fromOwnPage } };
    const token = { description: 'mine', expiresAt: '2099-01-01T00:00:00Z' };
    const pat = await service.post('/api/admin/user/tokens', token, own);
    expect(pat.status).toBe(201);
    return { id: body.id, session };
  };

  test('keeps no password, session, link or token when the owner of the address first signs on', async () => {
    const { id, session } = await signUp();
    const { body: link } = await service.post('/api/admin/user-admin/reset-password', { id: email });
    const cookie = cookieIn(await signOn({ email }));
    expect(await userOf(cookie)).toMatchObject({ id, email });
    expect((await sendSignIn(service, { username: 'zoe', password: knownPassword })).status).toBe(401);
    expect((await service.get('/api/admin/user', { ...anonymous, headers: { cookie: session } })).status).toBe(401);
    const secret = new URL(link.resetPasswordUrl).searchParams.get('token');
    expect((await service.get(`/auth/reset/validate?token=${secret}`, anonymous)).status).toBe(401);
    const own = { ...anonymous, headers: { cookie } };
    expect((await service.get('/api/admin/user/tokens', own)).body.pats).toEqual([]);
    const events = (await serviceEvents(service.table)).filter(({ type }) => /^(user-updated|pat-deleted)$/.test(type));
    expect(events).toMatchObject([
      {
        type: 'user-updated',
        data: { id, passwordChangedAt: null },
        preData: { passwordChangedAt: expect.any(String) },
      },
      { type: 'pat-deleted' },
    ]);
  });

  test('keeps later ones', async () => {
    const { id } = await signUp();
    await signOn({ email });
    await givePassword(service.table, id);
    const first = cookieIn(await sendSignIn(service, { username: 'zoe', password: knownPassword }));
    expect((await signOn({ email })).status).toBe(302);
    expect((await service.get('/api/admin/user', { ...anonymous, headers: { cookie: first } })).status).toBe(200);
  });

  test('does so where the password was changed before, too', async () => {
    const { id } = await signUp();
    await givePassword(service.table, id, 'Another-horse-8');
    await signOn({ email });
    expect((await sendSignIn(service, { username: 'zoe', password: 'Another-horse-8' })).status).toBe(401);
  });

  test('is signed on during maintenance only after that', async () => {
    await signUp();
    await service.post('/api/admin/maintenance', { enabled: true });
    expect((await signOn({ email })).status).toBe(503);
    await service.post('/api/admin/maintenance', { enabled: false });
    expect((await signOn({ email })).status).toBe(302);
    expect((await sendSignIn(service, { username: 'zoe', password: knownPassword })).status).toBe(401);
  });
});
