import { describe, expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { permissionTable } from '../../../lib/identity/permission-table.ts';
import { customRoles } from '../../../lib/identity/roles.ts';
import { problemPaths } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

/** A request for a role, with every field that it can have. */
function roleBody(world: World, type: 'custom' | 'root-custom' = 'custom') {
  return {
    name: world.name('role'),
    description: 'Switches features in development',
    type,
    permissions: [{ id: 28, name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }],
  };
}

specify('createRole', {
  route: 'POST /api/admin/roles',
  versionAt: 'replies',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({ body: roleBody(world) }),
  required: ['name'],
  nullable: ['description', 'permissions.0.environment'],
  again: 409,
});

test('A role is read back as it was created', async ({ service }) => {
  const permissions = [
    { name: 'CREATE_FEATURE' },
    { name: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
    { name: 'UPDATE_FEATURE_STRATEGY' },
  ];
  const { status, body } = await service.post('/api/admin/roles', { name: 'Builder', permissions });
  expect(status).toBe(200);
  expect(body).toEqual({ version: 1, roles: { id: 7, name: 'Builder', type: 'custom', description: '' } });
  expect((await service.get('/api/admin/roles/7')).body.permissions).toEqual([
    { id: 2, name: 'CREATE_FEATURE', displayName: 'Create feature flags', type: 'project' },
    {
      ...{ id: 25, name: 'CREATE_FEATURE_STRATEGY', displayName: 'Create activation strategies' },
      ...{ type: 'environment', environment: 'development' },
    },
    { id: 26, name: 'UPDATE_FEATURE_STRATEGY', displayName: 'Update activation strategies', type: 'environment' },
  ]);
});

test('Permissions may be given by ids, without duplicates', async ({ service, world }) => {
  const permissions = [{ id: 2 }, { name: 'CREATE_FEATURE', environment: '' }, { id: 25, environment: 'production' }];
  const id = await world.role({ permissions });
  const { body } = await service.get(`/api/admin/roles/${id}`);
  expect(body.permissions.map((each: { name: string; environment?: string }) => [each.name, each.environment])).toEqual(
    [
      ['CREATE_FEATURE', undefined],
      ['CREATE_FEATURE_STRATEGY', 'production'],
    ],
  );
});

test('All permissions that are unknown or not allowed in the role are named', async ({ service }) => {
  const permissions = [
    { name: 'FLY' },
    { id: 4_711 },
    { name: 'CREATE_PROJECT' },
    { name: 'CREATE_FEATURE', environment: 'development' },
    { name: 'UPDATE_FEATURE' },
  ];
  expect(problemPaths(await service.post('/api/admin/roles', { name: 'Bird', permissions }))).toEqual([
    'permissions.0.name',
    'permissions.1.id',
    'permissions.2.name',
    'permissions.3.environment',
  ]);
  const inNoPlace = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'nowhere' }];
  expect(await service.post('/api/admin/roles', { name: 'Bird', permissions: inNoPlace })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('nowhere') },
  });
  const inTooLongName = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'a'.repeat(5_000) }];
  expect(problemPaths(await service.post('/api/admin/roles', { name: 'Bird', permissions: inTooLongName }))).toEqual([
    'permissions.0.environment',
  ]);
  expect((await service.post('/api/admin/roles', { name: 'Owner' })).status).toBe(409);
});

specify('updateRole', {
  route: 'PUT /api/admin/roles/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: await world.role({ permissions: [{ name: 'CREATE_FEATURE' }] }) },
    body: roleBody(world),
  }),
  required: ['name'],
  nullable: ['description', 'permissions.0.environment'],
  waits: 3,
  again: 'nothing',
});

test('An update keeps omitted properties, and cannot change the type', async ({ service, world }) => {
  const permissions = [{ name: 'CREATE_FEATURE' }];
  const id = await world.role({ description: 'Builds', permissions });
  const update = (body: object) => service.call('PUT', `/api/admin/roles/${id}`, { body });
  expect((await update({ name: 'Builder' })).body.roles).toEqual({
    ...{ id, name: 'Builder', description: 'Builds', type: 'custom' },
  });
  expect((await service.get(`/api/admin/roles/${id}`)).body.permissions).toHaveLength(1);
  expect((await update({ name: 'Builder', type: 'root-custom' })).status).toBe(400);
  expect((await update({ name: 'Builder', permissions: [{ name: 'ADMIN' }] })).status).toBe(400);
});

test('A role that is older than a built-in role of the same name can be changed', async ({ service, world }) => {
  const id = await world.role({ name: 'Early' });
  // As an earlier release stored it.
  await customRoles.update(service.table, systemUser, id, (role) => ({ ...role, name: 'Approver' }));
  const update = (name: string) => service.put(`/api/admin/roles/${id}`, { name, description: 'Ours' });
  expect(await update('Approver')).toMatchObject({ status: 200, body: { roles: { id, description: 'Ours' } } });
  expect((await update('Owner')).status).toBe(409);
});

describe('A built-in role', () => {
  test.each([1, 2, 3, 4, 5, 6, 1_000_000_000])('cannot be changed or deleted: %i', async (id) => {
    const service = await freshService();
    expect((await service.call('PUT', `/api/admin/roles/${id}`, { body: { name: 'mine' } })).status).toBe(403);
    expect((await service.call('DELETE', `/api/admin/roles/${id}`)).status).toBe(403);
  });
});

specify('deleteRole', {
  route: 'DELETE /api/admin/roles/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { id: await world.role() } }),
  again: 404,
});

test('A role cannot be deleted while users or groups have it, whom the error names', async ({ service, world }) => {
  const [inProject, everywhere] = [await world.role(), await world.role({ name: 'Auditor', type: 'root-custom' })];
  const { id: user, username } = await world.user();
  await world.ask('PUT', `/api/admin/projects/default/users/${user}/roles`, { roles: [inProject] });
  const group = await world.groupId({ name: 'readers', rootRole: everywhere });
  const remove = (id: number) => service.call('DELETE', `/api/admin/roles/${id}`);
  expect(await remove(inProject)).toMatchObject({
    status: 409,
    body: { name: 'InUseError', message: expect.stringContaining(`: the user "${username}" in default.`) },
  });
  expect(await remove(everywhere)).toMatchObject({
    status: 409,
    body: { message: 'The role "Auditor" is in use: the group "readers".' },
  });
  await world.ask('PUT', `/api/admin/groups/${group}`, { name: 'writers', rootRole: everywhere, users: [] });
  expect((await remove(everywhere)).body.message).toContain('"writers"');
  await world.ask('DELETE', `/api/admin/groups/${group}`);
  expect((await remove(everywhere)).status).toBe(200);
});

test.each(['deletion', 'change'])(
  'Of a deletion of a role and its concurrent assignment, the later one is refused: the %s',
  async (last) => {
    const service = await freshService();
    const role = await new World(service).role({ type: 'root-custom' });
    const remove = () => service.call('DELETE', `/api/admin/roles/${role}`);
    const give = () => service.post('/api/admin/groups', { name: 'given', rootRole: role });
    const [first, second] = last === 'deletion' ? [give, remove] : [remove, give];
    const stuck = await stuckAfter(service.table, 0, second);
    expect([stuck.isStuck, (await first()).status]).toEqual([true, last === 'deletion' ? 201 : 200]);
    expect((await stuck.goOn()).status).toBeOneOf(last === 'deletion' ? [409] : [400, 404]);
    expect((await service.get(`/api/admin/roles/${role}`)).status).toBe(last === 'deletion' ? 200 : 404);
  },
);

specify('getPermissions', { route: 'GET /api/admin/permissions', may: 'any token' });

test('Permissions of environments are listed for each environment', async ({ service }) => {
  const { permissions } = (await service.get('/api/admin/permissions')).body;
  const namesOf = (all: { name: string }[]) => all.map(({ name }) => name);
  expect(namesOf(permissions.root)).toEqual(permissionTable.root.map(([, name]) => name));
  expect(namesOf(permissions.project)).toEqual(permissionTable.project.map(([, name]) => name));
  expect(namesOf(permissions.environments).toSorted()).toEqual(['default', 'development', 'production']);
  for (const { name, permissions: all } of permissions.environments) {
    expect(namesOf(all)).toEqual(permissionTable.environment.map(([, name]) => name));
    for (const each of all) expect(each).toMatchObject({ type: 'environment', environment: name });
  }
});

specify('getRoleById', {
  route: 'GET /api/admin/roles/{id}',
  ...openTo('Admin', 'ADMIN', 'READ_ROLE'),
  request: async (world) => ({ params: { id: await world.role({ permissions: [{ name: 'CREATE_FEATURE' }] }) } }),
});

test('A built-in role shows its permissions', async ({ service }) => {
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

test('Everybody can read their own root role only', async ({ service, world }) => {
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

test('The holders of a role are counted by project', async ({ service, world }) => {
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

test('Built-in roles are listed first, with the ids of Unleash', async ({ service, world }) => {
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

specify('validateRole', {
  route: 'POST /api/admin/roles/validate',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({ body: roleBody(world, 'root-custom') }),
  required: ['name'],
  nullable: ['description', 'permissions.0.environment'],
  again: 'nothing',
});

test('The name of a built-in or custom role is a 409', async ({ service }) => {
  const validate = async (body: object) => (await service.post('/api/admin/roles/validate', body)).status;
  await service.post('/api/admin/roles', { name: 'Builder' });
  expect(await validate({ name: 'Builder' })).toBe(409);
  expect(await validate({ name: 'Viewer' })).toBe(409);
  expect(await validate({ name: 'Painter' })).toBe(200);
});

test('Validation, creation and update name all unknown environments', async ({ service, world }) => {
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
