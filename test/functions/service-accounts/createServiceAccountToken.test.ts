import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('createServiceAccountToken', {
  route: 'POST /api/admin/service-account/{id}/token',
  unversioned: 'it is there or not, and never changes',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => ({
    params: { id: (await world.serviceAccount()).id },
    body: { description: 'deployments', expiresAt: '2099-01-01T00:00:00Z' },
  }),
  required: ['description', 'expiresAt'],
  again: 409,
});

test('It acts as its account, with the rights of its root role, of its groups and in projects', async ({
  service,
  world,
}) => {
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
