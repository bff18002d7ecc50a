import { expect, test } from 'vitest';
import { World } from '../../harness/world.ts';
import { oidc, saml } from '../../specifications/bodies.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

specify('setOidcSettings', {
  route: 'POST /api/admin/auth/oidc/settings',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({ body: oidc(world.name('client')) }),
  required: ['clientId', 'secret'],
});

const path = '/api/admin/auth/oidc/settings';
const service = serviceForEach();
const refusedFor = async (settings: object) => {
  const { status, body } = await service.post(path, settings);
  return [status, ...(body.details ?? []).map((detail: { path?: string }) => detail.path)];
};

test('Who may change how people sign in, but is no Admin, neither reads the secret nor names an identity provider', async () => {
  const world = new World(service);
  const permissions = [{ name: 'UPDATE_AUTH_CONFIGURATION' }];
  const token = await world.tokenOfRole(await world.role({ type: 'root-custom', permissions }));
  await service.post(path, oidc('client'));
  expect((await service.get(path, { token })).status).toBe(403);
  expect((await service.post(path, { ...oidc('client'), defaultRootRole: 'Admin' }, { token })).status).toBe(403);
});

test('What a sign-on needs must be there where it is enabled', async () => {
  const { discoverUrl: _, ...settings } = oidc('client');
  expect(await refusedFor(settings)).toEqual([400, 'discoverUrl']);
  expect(await refusedFor({ enabled: true, clientId: ' ', secret: '' })).toEqual([
    ...[400, 'clientId', 'secret', 'discoverUrl'],
  ]);
  expect(await refusedFor({ enabled: false, clientId: ' ', secret: ' ' })).toEqual([200]);
});

test('The address of the identity provider begins with https, but on this machine', async () => {
  const at = (discoverUrl: string) => refusedFor({ ...oidc('client'), discoverUrl });
  for (const address of ['nonsense', 'file:///etc/passwd', 'javascript:alert(1)', 'http://idp.example.com']) {
    expect(await at(address)).toEqual([400, 'discoverUrl']);
  }
  for (const address of ['https://idp.example.com', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) {
    expect(await at(address)).toEqual([200]);
  }
});

test('The default role is one that there is, and that holds everywhere', async () => {
  const withRole = (defaultRootRoleId: number) => refusedFor({ ...oidc('client'), defaultRootRoleId });
  const own = await new World(service).role({ type: 'root-custom', permissions: [] });
  for (const id of [4, 999, -1]) expect(await withRole(id)).toEqual([400, 'defaultRootRoleId']);
  for (const id of [1, own]) expect(await withRole(id)).toEqual([200]);
});

test.each(['oidc', 'saml'])(
  'A client of %s that names no role, or the role 0, as Terraform does, makes users Viewers',
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
