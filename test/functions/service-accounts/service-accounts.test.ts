import { expect } from 'vitest';
import { sendSignIn } from '../../harness/sign-in.ts';
import type { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('createServiceAccount', {
  route: 'POST /api/admin/service-account',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    body: { username: world.name('service'), name: 'Deployment', rootRole: await world.role({ type: 'root-custom' }) },
  }),
  required: ['username', 'name', 'rootRole'],
  waits: 3,
  again: 409,
});

test('A service account needs a free user name and an existing root role, and has an event', async ({
  service,
  world,
}) => {
  const { username } = await world.user();
  const create = (body: object) => service.post('/api/admin/service-account', { name: 'CI', rootRole: 2, ...body });
  expect((await create({ username })).status).toBe(409);
  for (const rootRole of [4, 77]) expect((await create({ username: 'ci', rootRole })).status).toBe(400);
  const { body, headers } = await create({ username: 'ci' });
  expect(body).toMatchObject({ username: 'ci', name: 'CI', rootRole: 2, tokens: [] });
  expect(headers.location).toBe(`/api/admin/service-account/${body.id}`);
  const user = { username: 'ci', rootRole: 3 };
  expect((await service.post('/api/admin/user-admin', user)).status).toBe(409);
});

test('A service account cannot sign in', async ({ service, world }) => {
  const { username } = await world.serviceAccount();
  for (const password of ['', 'password', username]) {
    const answer = await sendSignIn(service, { username, password });
    expect([400, 401, 429]).toContain(answer.status);
  }
});

specify('createServiceAccountToken', {
  route: 'POST /api/admin/service-account/{id}/token',
  unversioned: 'it is there or not, and never changes',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.serviceAccount()).id },
    body: { description: 'deployments', expiresAt: '2099-01-01T00:00:00Z', scope: 'propose' },
  }),
  required: ['description', 'expiresAt'],
  again: 409,
});

test('A token has the rights of its service account by root role, groups and projects', async ({ service, world }) => {
  const { id, username } = await world.serviceAccount();
  const project = await world.project();
  await world.ask('PUT', `/api/admin/projects/${project}/users/${id}/roles`, { roles: [5] });
  const { secret: token } = await world.serviceAccountToken(id);
  expect((await service.get('/api/admin/user', { token })).body).toMatchObject({ user: { id, username } });
  const create = async (of: string) =>
    (await service.post(`/api/admin/projects/${of}/features`, { name: world.name('feature') }, { token })).status;
  expect([await create(project), await create('default')]).toEqual([201, 403]);
  expect(
    (await service.post('/api/admin/user/tokens', { description: 'x', expiresAt: '2099-01-01T00:00:00Z' }, { token }))
      .status,
  ).toBe(403);
  const other = await world.serviceAccount();
  await world.ask('POST', '/api/admin/groups', { name: 'editors', rootRole: 2, users: [{ user: { id: other.id } }] });
  const { secret } = await world.serviceAccountToken(other.id);
  const feature = { name: world.name('feature') };
  expect((await service.post('/api/admin/projects/default/features', feature, { token: secret })).status).toBe(201);
});

/** An account with a token. */
async function accountWithToken(world: World) {
  const account = await world.serviceAccount();
  await world.pat(account);
  return { params: { id: account.id } };
}

specify('deleteServiceAccount', {
  route: 'DELETE /api/admin/service-account/{id}',
  versionAt: 'replies',
  ...openTo('Admin', 'ADMIN'),
  request: accountWithToken,
  again: 404,
});

test('The tokens of a deleted service account do not work, and its name is free', async ({ service, world }) => {
  const { id, username } = await world.serviceAccount();
  const { secret } = await world.serviceAccountToken(id);
  await world.ask('DELETE', `/api/admin/service-account/${id}`);
  expect((await service.get('/api/admin/user', { token: secret })).status).toBe(401);
  expect((await service.post('/api/admin/service-account', { username, name: 'CI', rootRole: 3 })).status).toBe(201);
});

specify('deleteServiceAccountToken', {
  route: 'DELETE /api/admin/service-account/{id}/token/{tokenId}',
  unversioned: 'it is there or not, and never changes',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    const account = await world.serviceAccount();
    return { params: { id: account.id, tokenId: (await world.pat(account)).id } };
  },
  again: 404,
});

test('A token can only be deleted at its own service account', async ({ service, world }) => {
  const [one, other] = [await world.serviceAccount(), await world.serviceAccount()];
  const token = await world.serviceAccountToken(one.id);
  const remove = async (id: number) =>
    (await service.call('DELETE', `/api/admin/service-account/${id}/token/${token.id}`)).status;
  expect([await remove(other.id), await remove(one.id)]).toEqual([404, 200]);
});

specify('getServiceAccountPermissions', {
  route: 'GET /api/admin/service-account/{id}/permissions',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.serviceAccount()).id },
    query: { project: 'default', environment: 'development' },
  }),
  waits: 3,
});

specify('getServiceAccountTokens', {
  route: 'GET /api/admin/service-account/{id}/token',
  ...openTo('Admin', 'ADMIN'),
  request: accountWithToken,
});

specify('getServiceAccounts', {
  route: 'GET /api/admin/service-account',
  ...openTo('Admin', 'ADMIN'),
  given: (world) => world.serviceAccount(),
});

test('A service account is listed with its tokens and in the access list, not among users', async ({
  service,
  world,
}) => {
  const { id, username } = await world.serviceAccount();
  const { secret, ...token } = await world.serviceAccountToken(id);
  const { serviceAccounts, rootRoles } = (await service.get('/api/admin/service-account')).body;
  expect(serviceAccounts).toMatchObject([{ id, username, rootRole: 3, tokens: [token] }]);
  expect(rootRoles.map((role: { id: number }) => role.id)).toEqual([1, 2, 3]);
  const { users } = (await service.get('/api/admin/user-admin')).body;
  expect(users.map((user: { username: string }) => user.username)).toEqual(['admin']);
  expect((await service.get(`/api/admin/user-admin/search?q=${username}`)).body).toEqual([]);
  expect((await service.get(`/api/admin/user-admin/${id}`)).status).toBe(404);
  expect((await service.get('/api/admin/user-admin/access')).body.users).toContainEqual(
    expect.objectContaining({ id, accountType: 'Service Account' }),
  );
  const { user } = (await service.get('/api/admin/user', { token: secret })).body;
  expect(user).toMatchObject({ id, accountType: 'Service Account' });
});

specify('updateServiceAccount', {
  route: 'PUT /api/admin/service-account/{id}',
  versionAt: 'replies',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.serviceAccount()).id },
    body: { name: 'Deployment', rootRole: await world.role({ type: 'root-custom' }) },
  }),
  waits: 3,
  again: 'nothing',
});

test('An update of a service account keeps omitted properties', async ({ world }) => {
  const { id, username } = await world.serviceAccount({ rootRole: 2 });
  const path = `/api/admin/service-account/${id}`;
  expect((await world.ask('PUT', path, { name: 'Release' })).body).toMatchObject({
    username,
    name: 'Release',
    rootRole: 2,
  });
  expect((await world.ask('PUT', path, { rootRole: 1 })).body).toMatchObject({ name: 'Release', rootRole: 1 });
});
