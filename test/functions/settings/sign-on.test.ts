import { beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { writesNothing } from '../../harness/imports.ts';
import { oidcProviderSettings, signOnAt } from '../../harness/oidc-provider.ts';
import { samlProviderSettings } from '../../harness/saml-provider.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { cookieIn, fromOwnPage, sendSignIn } from '../../harness/sign-in.ts';
import { oidc, saml } from '../../specifications/bodies.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

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

test('An admin token switches passwords off, but not if there is no other way to sign in', async ({
  service,
  world,
}) => {
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

describe('A session', () => {
  const { service, world } = worldForEach();
  beforeEach(async () => {
    await service.post(oidcPath, { ...(await oidcProviderSettings()), defaultRootRole: 'Admin' });
  });
  const byCookie = (cookie: string) => ({ token: null, headers: { cookie, ...fromOwnPage } });
  const signOn = async () => {
    const begun = await service.get('/auth/oidc/login', { token: null });
    const back = await signOnAt(begun, { email: 'zoe@example.com' });
    return byCookie(cookieIn(await service.get(back, { token: null, headers: { cookie: cookieIn(begun) } })));
  };

  test('switches passwords off only if it began by another way with its present settings', async () => {
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

  test('does not change single sign-on while passwords are off', async () => {
    const signedOn = await signOn();
    const settings = (await service.get(oidcPath)).body;
    const store = (target: string, body: object) => service.post(target, body, signedOn);
    expect((await store(path, { disabled: true })).status).toBe(200);
    expect((await store(oidcPath, settings)).status).toBe(200);
    expect((await store(oidcPath, { ...settings, clientId: 'other' })).status).toBe(400);
    expect((await store(samlPath, samlProviderSettings)).status).toBe(400);
    expect((await store(oidcPath, { ...settings, enabled: false })).status).toBe(200);
    const { username, password } = await world.person();
    expect((await sendSignIn(service, { username, password })).status).toBe(200);
    // Untried settings still cannot switch passwords off.
    expect((await store(oidcPath, { ...settings, clientId: 'other' })).status).toBe(400);
    expect((await store(path, { disabled: false })).status).toBe(200);
    expect((await store(oidcPath, { ...settings, clientId: 'other' })).status).toBe(200);
  });

  test('leaves at least one way to sign in, also with concurrent requests', async () => {
    const signedOn = await signOn();
    const settings = (await service.get(oidcPath)).body;
    const answers = await Promise.all([
      service.post(path, { disabled: true }, signedOn),
      service.post(oidcPath, { ...settings, clientId: 'other' }, signedOn),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

test('Passwords stay on if the certificate of SAML is invalid', async ({ service }) => {
  await service.post(samlPath, { ...samlProviderSettings, certificate: 'MII' });
  expect((await service.post(path, { disabled: true })).status).toBe(400);
  expect((await service.get('/auth/saml/login', { token: null })).status).toBe(401);
});

specify('setOidcSettings', {
  route: 'POST /api/admin/auth/oidc/settings',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({ body: oidc(world.name('client')) }),
  required: ['clientId', 'secret'],
});

describe('The settings of OpenID Connect', () => {
  const path = '/api/admin/auth/oidc/settings';
  const { service, world } = worldForEach();
  const refusedFor = async (settings: object) => {
    const { status, body } = await service.post(path, settings);
    return [status, ...(body.details ?? []).map((detail: { path?: string }) => detail.path)];
  };

  test('Somebody who may change sign-in but is no Admin neither reads the secret nor changes the identity provider', async () => {
    const permissions = [{ name: 'UPDATE_AUTH_CONFIGURATION' }];
    const token = await world.tokenOfRole(await world.role({ type: 'root-custom', permissions }));
    await service.post(path, oidc('client'));
    expect((await service.get(path, { token })).status).toBe(403);
    expect((await service.post(path, { ...oidc('client'), defaultRootRole: 'Admin' }, { token })).status).toBe(403);
  });

  test('Enabled settings need all properties that a sign-on needs', async () => {
    const { discoverUrl: _, ...settings } = oidc('client');
    expect(await refusedFor(settings)).toEqual([400, 'discoverUrl']);
    expect(await refusedFor({ enabled: true, clientId: ' ', secret: '' })).toEqual([
      ...[400, 'clientId', 'secret', 'discoverUrl'],
    ]);
    expect(await refusedFor({ enabled: false, clientId: ' ', secret: ' ' })).toEqual([200]);
  });

  test('The address of the identity provider begins with https, except on loopback addresses', async () => {
    const at = (discoverUrl: string) => refusedFor({ ...oidc('client'), discoverUrl });
    for (const address of ['nonsense', 'file:///etc/passwd', 'javascript:alert(1)', 'http://idp.example.com']) {
      expect(await at(address)).toEqual([400, 'discoverUrl']);
    }
    for (const address of ['https://idp.example.com', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) {
      expect(await at(address)).toEqual([200]);
    }
  });

  test('The default role must be an existing root role', async () => {
    const withRole = (defaultRootRoleId: number) => refusedFor({ ...oidc('client'), defaultRootRoleId });
    const own = await world.role({ type: 'root-custom', permissions: [] });
    for (const id of [4, 999, -1]) expect(await withRole(id)).toEqual([400, 'defaultRootRoleId']);
    for (const id of [1, own]) expect(await withRole(id)).toEqual([200]);
  });

  test.each(['oidc', 'saml'])(
    'A client of %s without a role, or with the role 0, as Terraform sends, makes users Viewers',
    async (way) => {
      const at = `/api/admin/auth/${way}/settings`;
      expect((await service.get(at)).body).toEqual({ enabled: false, defaultRootRoleId: 3 });
      const settings = way === 'saml' ? saml('https://idp.example.com') : oidc('client');
      const { defaultRootRole: _, ...unnamed } = { defaultRootRole: '', ...settings, defaultRootRoleId: 0 };
      expect(await service.post(at, unnamed)).toMatchObject({ status: 200, body: { defaultRootRoleId: 3 } });
      expect((await service.get(at)).body.defaultRootRoleId).toBe(3);
      const named = { ...unnamed, defaultRootRole: 'Editor' };
      expect((await service.post(at, named)).body.defaultRootRoleId).toBe(2);
    },
  );
});

describe('The settings of SAML', () => {
  const path = '/api/admin/auth/saml/settings';
  const required = {
    entityId: 'https://idp.example.com/entity',
    signOnUrl: 'https://idp.example.com/on',
    certificate: '-----BEGIN CERTIFICATE-----\nMIIB-certificate-text\n-----END CERTIFICATE-----',
  };
  const full = {
    enabled: true,
    ...required,
    signOutUrl: 'https://idp.example.com/off',
    spCertificate: 'sp-certificate-text',
    autoCreate: true,
    emailDomains: 'example.com, example.org',
    defaultRootRole: 'Editor',
    defaultRootRoleId: 2,
    enableGroupSyncing: true,
    groupJsonPath: 'groups',
  };

  let service: Service;
  beforeAll(async () => {
    service = await freshService();
  });

  const store = (settings: unknown, options = {}) =>
    service.post(path, settings, { headers: { accept: 'application/json' }, ...options });
  const read = (options = {}) => service.get(path, options);

  /** The events that a call adds. */
  async function eventsOf(call: () => Promise<unknown>) {
    const before = await serviceEvents(service.table);
    await call();
    return (await serviceEvents(service.table)).slice(before.length);
  }

  test('The first settings are a creation, later ones an update; both events hide them', async () => {
    expect(await eventsOf(() => store(required))).toMatchObject([{ type: 'setting-created' }]);
    const updated = await eventsOf(() => store(full));
    expect(updated).toMatchObject([{ type: 'setting-updated', preData: { hideEventDetails: true } }]);
    for (const value of Object.values(required)) expect(JSON.stringify(updated)).not.toContain(value);
  });

  describe('Settings', () => {
    beforeEach(async () => {
      await store(full);
    });

    test('are replaced as a whole: omitted properties are removed', async () => {
      expect((await store(required)).body).toEqual(required);
      expect((await read()).body).toEqual(required);
    });

    test('may have any texts while they are disabled, without unknown properties', async () => {
      const odd = { ...required, entityId: '', signOnUrl: '', signOutUrl: '', emailDomains: ' \u{1f600}\n' };
      expect((await store({ ...odd, addGroupsScope: true })).body).toEqual(odd);
      expect((await read()).body).toEqual(odd);
    });

    test('that are the same in another order write nothing', async () => {
      expect(await writesNothing(service, () => store(full))).toMatchObject({ status: 200, body: full });
      const turned = Object.fromEntries(Object.entries(full).toReversed());
      expect(await writesNothing(service, () => store(turned))).toMatchObject({ status: 200, body: full });
    });

    test.each<[string, unknown, string[]]>([
      ['an unknown role', { ...full, defaultRootRole: 'editor' }, ['defaultRootRole']],
      ['a role that there is not', { ...full, defaultRootRoleId: 999 }, ['defaultRootRoleId']],
      ['a role that holds in projects', { ...full, defaultRootRoleId: 4 }, ['defaultRootRoleId']],
      ['an address that is none', { ...full, signOnUrl: 'nonsense' }, ['signOnUrl']],
      ['a script', { ...full, signOnUrl: 'javascript:a()', signOutUrl: 'javascript:a()' }, ['signOnUrl', 'signOutUrl']],
      [
        'an address of two lines',
        { ...full, signOutUrl: 'https://idp.example.com/\r\nset-cookie: a=b' },
        ['signOutUrl'],
      ],
      ['an address without TLS', { ...full, signOnUrl: 'http://idp.example.com' }, ['signOnUrl']],
      [
        'what a sign-on needs where it is enabled',
        { enabled: true, entityId: '', signOnUrl: ' ', certificate: '' },
        ['entityId', 'signOnUrl', 'certificate'],
      ],
    ])('are refused with 400 for %s, and stay as they were', async (_what, settings, paths) => {
      const { status, body } = await writesNothing(service, () => store(settings));
      expect([status, body.name]).toEqual([400, 'ValidationError']);
      expect(body.details.map((detail: { path: string }) => detail.path)).toEqual(paths);
    });
  });

  test('Ten concurrent requests with the same settings make one creation', async () => {
    service = await freshService();
    const events = await eventsOf(() => Promise.all(Array.from({ length: 10 }, () => store(full))));
    expect(events.map(({ type }) => type)).toEqual(['setting-created']);
  });

  test('Settings that are too large for the store are a 400 that says so', async () => {
    vi.stubEnv('BODY_LIMIT_BYTES', '1000000');
    const answer = await writesNothing(service, () => store({ ...full, certificate: 'c'.repeat(450_000) }));
    expect([answer.status, answer.body.name]).toEqual([400, 'ValidationError']);
  });
});
