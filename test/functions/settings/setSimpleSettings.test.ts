import { beforeEach, describe, expect } from 'vitest';
import { oidcProviderSettings, signOnAt } from '../../harness/oidc-provider.ts';
import { samlProviderSettings } from '../../harness/saml-provider.ts';
import { cookieIn, fromOwnPage, sendSignIn } from '../../harness/sign-in.ts';
import { World } from '../../harness/world.ts';
import { oidc } from '../../specifications/bodies.ts';
import { openTo, serviceForEach, specify, test } from '../../specifications/specify.ts';

const path = '/api/admin/auth/simple/settings';

specify('setSimpleSettings', {
  route: 'POST /api/admin/auth/simple/settings',
  ...openTo('Admin', 'ADMIN', 'UPDATE_AUTH_CONFIGURATION'),
  request: async (world) => {
    await world.ask('POST', '/api/admin/auth/oidc/settings', oidc('client'));
    await world.ask('POST', path, { disabled: true });
    return { body: { disabled: false } };
  },
  waits: 3,
});

const oidcPath = '/api/admin/auth/oidc/settings';
const samlPath = '/api/admin/auth/saml/settings';

test('Passwords are switched off by an admin token, but never as the last way in', async ({ service, world }) => {
  const { username, password } = await world.person();
  const statusOfSignIn = async () => (await sendSignIn(service, { username, password })).status;
  expect((await service.get(path)).body).toEqual({ disabled: false });
  expect((await service.post(path, { disabled: true })).status).toBe(400);
  await service.post(oidcPath, oidc('client'));
  expect((await service.post(path, { disabled: true })).body).toEqual({ disabled: true });
  expect((await service.get(path)).body).toEqual({ disabled: true });
  expect(await statusOfSignIn()).toBe(403);
  // Switching the other way off leaves this one open.
  await service.post(oidcPath, { ...oidc('client'), enabled: false });
  expect(await statusOfSignIn()).toBe(200);
});

describe('Without an admin token', () => {
  const service = serviceForEach();
  beforeEach(async () => {
    await service.post(oidcPath, { ...(await oidcProviderSettings()), defaultRootRole: 'Admin' });
  });
  const byCookie = (cookie: string) => ({ token: null, headers: { cookie, ...fromOwnPage } });
  const signOn = async () => {
    const begun = await service.get('/auth/oidc/login', { token: null });
    const back = await signOnAt(begun, { email: 'zoe@example.com' });
    return byCookie(cookieIn(await service.get(back, { token: null, headers: { cookie: cookieIn(begun) } })));
  };

  test('passwords are switched off only by a session that has proven another way in as it is set now', async () => {
    const world = new World(service);
    const token = await world.token({ rootRole: 'Admin' });
    const signedIn = byCookie(await world.session({ rootRole: 'Admin' }));
    const early = await signOn();
    for (const caller of [{ token }, signedIn, { ...early, token }]) {
      const { status, body } = await service.post(path, { disabled: true }, caller);
      expect([status, body.details]).toMatchObject([400, [{ path: 'disabled' }]]);
    }
    const settings = (await service.get(oidcPath)).body;
    await service.post(oidcPath, { ...settings, emailDomains: 'example.com,example.org' });
    expect((await service.post(path, { disabled: true }, early)).status).toBe(400);
    expect((await service.post(path, { disabled: true }, await signOn())).status).toBe(200);
  });

  test('how people sign on does not change while passwords are off, unless they come back', async () => {
    const signedOn = await signOn();
    const settings = (await service.get(oidcPath)).body;
    const store = (target: string, body: object) => service.post(target, body, signedOn);
    expect((await store(path, { disabled: true })).status).toBe(200);
    expect((await store(oidcPath, settings)).status).toBe(200);
    expect((await store(oidcPath, { ...settings, clientId: 'other' })).status).toBe(400);
    expect((await store(samlPath, samlProviderSettings)).status).toBe(400);
    expect((await store(oidcPath, { ...settings, enabled: false })).status).toBe(200);
    const { username, password } = await new World(service).person();
    expect((await sendSignIn(service, { username, password })).status).toBe(200);
    // What nobody has tried takes passwords away no more than before.
    expect((await store(oidcPath, { ...settings, clientId: 'other' })).status).toBe(400);
    expect((await store(path, { disabled: false })).status).toBe(200);
    expect((await store(oidcPath, { ...settings, clientId: 'other' })).status).toBe(200);
  });

  test('of passwords and what takes their place, one stays at any time', async () => {
    const signedOn = await signOn();
    const settings = (await service.get(oidcPath)).body;
    const answers = await Promise.all([
      service.post(path, { disabled: true }, signedOn),
      service.post(oidcPath, { ...settings, clientId: 'other' }, signedOn),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

test('Settings of SAML with a certificate that nobody can read leave passwords on', async ({ service }) => {
  await service.post(samlPath, { ...samlProviderSettings, certificate: 'MII' });
  expect((await service.post(path, { disabled: true })).status).toBe(400);
  expect((await service.get('/auth/saml/login', { token: null })).status).toBe(401);
});
