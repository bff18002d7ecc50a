import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writesNothing } from '../../harness/imports.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';

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

describe('Settings that were never stored', () => {
  test('say that single sign-on is off, so that a client can read them before it writes', async () => {
    const fresh = await freshService();
    expect(await fresh.get(path)).toMatchObject({ status: 200, text: '{"enabled":false,"defaultRootRoleId":3}' });
    expect(await fresh.post(path, required)).toMatchObject({ status: 200, body: required });
    expect((await fresh.get(path)).body).toEqual(required);
    service = await freshService();
  });

  test('are created, with an event that hides them; later ones are an update', async () => {
    const data = { id: 'unleash.enterprise.auth.saml', hideEventDetails: true };
    const author = { createdBy: 'admin', createdByUserId: -42, project: null, environment: null, featureName: null };
    expect(await eventsOf(() => store(required))).toMatchObject([
      { ...author, type: 'setting-created', data, preData: null },
    ]);
    const updated = await eventsOf(() => store(full));
    expect(updated).toMatchObject([{ ...author, type: 'setting-updated', data, preData: { hideEventDetails: true } }]);
    for (const value of Object.values(required)) expect(JSON.stringify(updated)).not.toContain(value);
  });
});

describe('Settings', () => {
  beforeEach(async () => {
    await store(full);
  });

  test('are stored and answered as they are given, and read back so', async () => {
    expect(await store(full)).toMatchObject({ status: 200, body: full });
    expect((await read()).body).toEqual(full);
  });

  test('are replaced as a whole: what is left out is gone', async () => {
    expect((await store(required)).body).toEqual(required);
    expect((await read()).body).toEqual(required);
  });

  test('may hold any text, empty ones too, while they are not enabled; unknown properties are dropped', async () => {
    const odd = { ...required, entityId: '', signOnUrl: '', signOutUrl: '', emailDomains: ' \u{1f600}\n' };
    expect((await store({ ...odd, addGroupsScope: true })).body).toEqual(odd);
    expect((await read()).body).toEqual(odd);
  });

  test('that are the same already write nothing, in whatever order they come', async () => {
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
    ['an address of two lines', { ...full, signOutUrl: 'https://idp.example.com/\r\nset-cookie: a=b' }, ['signOutUrl']],
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

  test('that ten store at the same time are those of one of them, with an event for each', async () => {
    const versions = Array.from({ length: 10 }, (_, index) => ({ ...full, entityId: `entity-${index}` }));
    const events = await eventsOf(async () => {
      const answers = await Promise.all(versions.map((version) => store(version)));
      expect(answers).toMatchObject(Array(10).fill({ status: 200 }));
    });
    expect(events.map(({ type }) => type)).toEqual(Array(10).fill('setting-updated'));
    expect(versions).toContainEqual((await read()).body);
  });
});

test('Ten that create the same settings at the same time make one creation', async () => {
  service = await freshService();
  const events = await eventsOf(() => Promise.all(Array.from({ length: 10 }, () => store(full))));
  expect(events.map(({ type }) => type)).toEqual(['setting-created']);
});

test('Settings that the store could not hold are a 400 that says so', async () => {
  process.env.BODY_LIMIT_BYTES = '1000000';
  try {
    const answer = await writesNothing(service, () => store({ ...full, certificate: 'c'.repeat(450_000) }));
    expect([answer.status, answer.body.name]).toEqual([400, 'ValidationError']);
  } finally {
    delete process.env.BODY_LIMIT_BYTES;
  }
});
