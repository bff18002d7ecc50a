import { expect } from 'vitest';
import { openTo, specify, test } from '../../specifications/specify.ts';
import { roleBody } from './role-body.ts';

specify('getPermissions', {
  route: 'GET /api/admin/permissions',
  may: 'any token',
});

test('Permissions of environments are there for each environment', async ({ service }) => {
  const { permissions } = (await service.get('/api/admin/permissions')).body;
  expect([permissions.root.length, permissions.project.length]).toEqual([35, 21]);
  const names = permissions.environments.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual(['default', 'development', 'production']);
  for (const { name, permissions: all } of permissions.environments) {
    expect(all).toHaveLength(8);
    for (const each of all) expect(each).toMatchObject({ type: 'environment', environment: name });
  }
});

specify('getRoleById', {
  route: 'GET /api/admin/roles/{id}',
  ...openTo('Admin', 'ADMIN', 'READ_ROLE'),
  request: async (world) => ({ params: { id: await world.role({ permissions: [{ name: 'CREATE_FEATURE' }] }) } }),
});

test('A role of the service says what it allows, too', async ({ service }) => {
  const admin = (await service.get('/api/admin/roles/1')).body;
  expect(admin).toMatchObject({
    id: 1,
    name: 'Admin',
    type: 'root',
    permissions: [{ id: 1, name: 'ADMIN', displayName: 'Admin', type: 'root' }],
  });
  const names = async (id: number) =>
    (await service.get(`/api/admin/roles/${id}`)).body.permissions.map(({ name }: { name: string }) => name);
  expect(await names(6)).toEqual([]);
  expect(await names(4)).toEqual(expect.arrayContaining([...(await names(5)), 'UPDATE_PROJECT']));
});

test('Everybody reads the root role that they have, and no other', async ({ service, world }) => {
  const role = await world.role({ type: 'root-custom', permissions: [{ name: 'CREATE_SEGMENT' }] });
  const token = await world.tokenOfRole(role);
  const status = async (id: number, own: string) =>
    (await service.get(`/api/admin/roles/${id}`, { token: own })).status;
  expect(await status(role, token)).toBe(200);
  for (const other of [1, 3, 4, 9_999]) expect(await status(other, token)).toBe(403);
  const viewer = await world.token({ rootRole: 'Viewer' });
  expect([await status(3, viewer), await status(role, viewer)]).toEqual([200, 403]);
});

specify('getRoleProjectAccess', {
  route: 'GET /api/admin/projects/roles/{id}/access',
  ...openTo('Admin', 'ADMIN', 'READ_ROLE'),
  request: async (world) => ({ params: { id: await world.role() } }),
});

test('Who has a role is counted in each project', async ({ service, world }) => {
  const [role, project] = [await world.role(), await world.project()];
  const access = async () => (await service.get(`/api/admin/projects/roles/${role}/access`)).body.projects;
  expect(await access()).toEqual([]);
  await world.tokenOfRole(3, [{ project: 'default', roles: [role, 5] }]);
  await world.tokenOfRole(3, [
    { project, roles: [role] },
    { project: 'default', roles: [role] },
  ]);
  expect(await access()).toEqual([
    { project: 'default', role, userCount: 2, serviceAccountCount: 0, groupCount: 0 },
    { project, role, userCount: 1, serviceAccountCount: 0, groupCount: 0 },
  ]);
});

specify('getRoles', {
  route: 'GET /api/admin/roles',
  ...openTo('Admin', 'ADMIN', 'READ_ROLE'),
  given: (world) => world.role(),
});

test('The roles of the service come first, with ids of Unleash, then those of the team', async ({ service, world }) => {
  const id = await world.role({ type: 'root-custom', description: 'Looks after tags' });
  const { roles } = (await service.get('/api/admin/roles')).body;
  expect(roles.map((role: { id: number; name: string; type: string }) => [role.id, role.name, role.type])).toEqual([
    [1, 'Admin', 'root'],
    [2, 'Editor', 'root'],
    [3, 'Viewer', 'root'],
    [4, 'Owner', 'project'],
    [5, 'Member', 'project'],
    [6, 'Reader', 'project'],
    [1_000_000_000, 'Approver', 'project'],
    [id, 'role-1', 'root-custom'],
  ]);
  expect(roles.at(-1).description).toBe('Looks after tags');
});

test('A role may let a user read roles, and nothing else of an Admin', async ({ service, world }) => {
  const rootRole = await world.role({ type: 'root-custom', permissions: [{ name: 'READ_ROLE' }] });
  const token = await world.tokenOfRole(rootRole);
  expect((await service.get('/api/admin/roles', { token })).status).toBe(200);
  expect((await service.post('/api/admin/roles', { name: 'mine' }, { token })).status).toBe(403);
});

specify('validateRole', {
  route: 'POST /api/admin/roles/validate',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({
    body: roleBody(world, 'root-custom'),
  }),
  required: ['name'],
  nullable: ['description', 'permissions.0.environment'],
  again: 'nothing',
});

test('A name that a role has, of the service or of the team, is a 409', async ({ service }) => {
  const validate = async (body: object) => (await service.post('/api/admin/roles/validate', body)).status;
  await service.post('/api/admin/roles', { name: 'Builder' });
  expect(await validate({ name: 'Builder' })).toBe(409);
  expect(await validate({ name: 'Viewer' })).toBe(409);
  expect(await validate({ name: 'Painter' })).toBe(200);
});

test('All unknown environments are named to the validation, creation and update', async ({ service, world }) => {
  const path = `/api/admin/roles/${await world.role()}`;
  const permissions = ['nowhere', 'production', 'gone'].map((environment) => ({
    ...{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment },
  }));
  const body = { name: 'Painter', permissions };
  for (const answer of [
    await service.post('/api/admin/roles/validate', body),
    await service.post('/api/admin/roles', body),
    await service.put(path, body),
  ]) {
    const details = ['nowhere', 'gone'].map((name) => ({
      message: expect.stringContaining(name),
      path: 'permissions',
    }));
    expect(answer).toMatchObject({ status: 400, body: { details } });
  }
});
