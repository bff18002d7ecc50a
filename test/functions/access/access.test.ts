import { describe, expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('getAccessOverview', {
  route: 'GET /api/admin/access/overview',
  ...openTo('Admin', 'ADMIN'),
  given: (world) => world.user(),
});

test('The overview has the role, groups and projects of each user, as JSON and CSV', async ({ service, world }) => {
  const [project, other] = [await world.project(), await world.project()];
  const { id, username } = await world.user({ inProject: { project, role: 'Member' } });
  const group = await world.groupId({ name: '=cmd, "quoted"', users: [{ user: { id } }] });
  await world.ask('PUT', `/api/admin/projects/${other}/groups/${group}/roles`, { roles: [6] });
  const { overview } = (await service.get('/api/admin/access/overview')).body;
  expect(overview.at(-1)).toMatchObject({
    ...{ userId: id, userName: username, userEmail: '', rootRole: 'Viewer' },
    ...{ accessibleProjects: [project, other].toSorted(), groups: ['=cmd, "quoted"'] },
  });
  const csv = await service.get('/api/admin/access/overview', { headers: { accept: 'text/csv' } });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  const [head, , line] = csv.text.trimEnd().split('\r\n');
  expect(head).toBe('userId,userName,userEmail,createdAt,lastSeen,rootRole,accessibleProjects,groups');
  // No spreadsheet takes it for a formula.
  expect(line).toContain(`"'=cmd, ""quoted"""`);
});

specify('getProjectAccess', {
  route: 'GET /api/admin/projects/{projectId}/access',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => {
    const projectId = await world.project();
    await world.user({ inProject: { project: projectId, role: 'Member' } });
    return { params: { projectId } };
  },
});

test('The access to a project shows its holders of roles, and the roles to give', async ({ service, world }) => {
  const [role, project] = [await world.role(), await world.project()];
  const { id } = await world.user({ inProject: { project, role: 'Member' } });
  await world.user({ inProject: { project: 'default', role: 'Owner' } });
  const group = await world.groupId({ users: [{ user: { id } }] });
  await world.ask('PUT', `/api/admin/projects/${project}/groups/${group}/roles`, { roles: [role, 6] });
  const { users, groups, roles } = (await service.get(`/api/admin/projects/${project}/access`)).body;
  expect(users).toMatchObject([{ id, accountType: 'User', roleId: 5, roles: [5], addedAt: expect.any(String) }]);
  expect(groups).toMatchObject([{ id: group, roleId: role, roles: [role, 6], projects: [project], userCount: 1 }]);
  expect(roles.map((each: { id: number }) => each.id)).toEqual([4, 5, 6, 1_000_000_000, role]);
});

test('The access to a project and its groups show last sign-ins, which other lists do not', async ({
  service,
  world,
}) => {
  const project = await world.project();
  const { id, username, password } = await world.person({ inProject: { project, role: 'Member' } });
  const group = await world.groupId({ users: [{ user: { id } }] });
  await world.ask('PUT', `/api/admin/projects/${project}/groups/${group}/roles`, { roles: [6] });
  await service.post('/auth/simple/login', { username, password });
  const { seenAt } = (await service.get(`/api/admin/user-admin/${id}`)).body;
  expect(seenAt).toEqual(expect.any(String));
  const { users, groups } = (await service.get(`/api/admin/projects/${project}/access`)).body;
  expect(users).toMatchObject([{ id, seenAt }]);
  expect(groups).toMatchObject([{ id: group, users: [{ user: { id, seenAt } }] }]);
  expect((await service.get(`/api/admin/groups/${group}`)).body.users).toMatchObject([{ user: { id, seenAt } }]);
  expect((await service.get('/api/admin/user-admin/access')).text).not.toContain('seenAt');
});

specify('removeGroupAccess', {
  route: 'DELETE /api/admin/projects/{projectId}/groups/{groupId}/roles',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => {
    const projectId = await world.project();
    const id = await world.groupId();
    await world.ask('PUT', `/api/admin/projects/${projectId}/groups/${id}/roles`, { roles: [5] });
    return { params: { projectId, groupId: id } };
  },
  again: 'nothing',
});

specify('removeUserAccess', {
  route: 'DELETE /api/admin/projects/{projectId}/users/{userId}/roles',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => {
    const projectId = await world.project();
    const id = (await world.user()).id;
    await world.ask('PUT', `/api/admin/projects/${projectId}/users/${id}/roles`, { roles: [5] });
    return { params: { projectId, userId: id } };
  },
  again: 'nothing',
});

specify('setProjectAccess', {
  route: 'PUT /api/admin/projects/{projectId}/access',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => {
    const projectId = await world.project();
    await world.user({ inProject: { project: projectId, role: 'Member' } });
    const body = { roles: [{ id: 5, groups: [await world.groupId()], users: [(await world.user()).id] }] };
    return { params: { projectId }, body };
  },
  required: ['roles', 'roles.0.id'],
  again: 'nothing',
});

test('Users and groups that are missing in the new access to a project lose their roles there', async ({
  service,
  world,
}) => {
  const project = await world.project();
  const before = await world.user({ inProject: { project, role: 'Owner' } });
  const { id } = await world.user({ inProject: { project: 'default', role: 'Member' } });
  await world.ask('PUT', `/api/admin/projects/${project}/access`, {
    roles: [
      { id: 4, users: [id] },
      { id: 6, users: [id] },
    ],
  });
  const users = async (of: string) => (await service.get(`/api/admin/projects/${of}/access`)).body.users;
  expect(await users(project)).toMatchObject([{ id, roles: [4, 6] }]);
  expect(await users('default')).toMatchObject([{ id, roles: [5] }]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'project-access-updated',
    project,
    data: { roles: [{ roleId: 4, groupIds: [], userIds: [id] }, { roleId: 6 }] },
    preData: { roles: [{ roleId: 4, groupIds: [], userIds: [before.id] }] },
  });
  await world.ask('PUT', `/api/admin/projects/${project}/access`, { roles: [] });
  expect(await users(project)).toEqual([]);
});

test('A user who is named many times has the role once', async ({ service }) => {
  const roles = Array.from({ length: 20 }, () => ({ id: 5, users: Array.from({ length: 2_000 }, () => 1) }));
  const before = process.cpuUsage();
  expect((await service.put('/api/admin/projects/default/access', { roles })).status).toBe(200);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(3);
  expect((await service.get('/api/admin/projects/default/access')).body.users).toMatchObject([{ id: 1, roles: [5] }]);
});

specify('setRolesForGroup', {
  route: 'PUT /api/admin/projects/{projectId}/groups/{groupId}/roles',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => ({
    params: { projectId: await world.project(), groupId: await world.groupId() },
    body: { roles: [5] },
  }),
  required: ['roles'],
  again: 'nothing',
});

specify('setRolesForUser', {
  route: 'PUT /api/admin/projects/{projectId}/users/{userId}/roles',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => ({
    params: { projectId: await world.project(), userId: (await world.user()).id },
    body: { roles: [5] },
  }),
  required: ['roles'],
  again: 'nothing',
});

describe.each([
  ['user', 'users', async (world: World) => (await world.user()).id],
  ['group', 'groups', (world: World) => world.groupId()],
] as const)('A %s', (kind, kinds, make) => {
  const rolesOf = (id: number) => `/api/admin/projects/default/${kinds}/${id}/roles`;
  const about = (id: number, roles: number[]) => ({ [`${kind}Id`]: id, roles });

  test('has the roles that are set and no others, and the event says which it had', async ({ service, world }) => {
    const id = await make(world);
    for (const roles of [[4, 5], [6]]) await world.ask('PUT', rolesOf(id), { roles });
    expect((await service.get('/api/admin/projects/default/access')).body[kinds]).toMatchObject([{ id, roles: [6] }]);
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: `project-access-${kind}-roles-updated`,
      project: 'default',
      data: about(id, [6]),
      preData: about(id, [4, 5]),
    });
  });

  test('whose access is removed has no roles there, and the event says which it had', async ({ service, world }) => {
    const id = await make(world);
    await world.ask('PUT', rolesOf(id), { roles: [4] });
    await world.ask('DELETE', rolesOf(id));
    expect((await service.get('/api/admin/projects/default/access')).body[kinds]).toEqual([]);
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: `project-access-${kind}-roles-deleted`,
      project: 'default',
      preData: about(id, [4]),
    });
  });
});

describe('A deletion while a role is given', () => {
  test.each(['deletion', 'change'])('of the group leaves nothing in the project: the %s comes last', async (last) => {
    const service = await freshService();
    const id = await new World(service).groupId();
    const remove = () => service.call('DELETE', `/api/admin/groups/${id}`);
    const give = () => service.call('PUT', `/api/admin/projects/default/groups/${id}/roles`, { body: { roles: [5] } });
    const [first, second] = last === 'deletion' ? [give, remove] : [remove, give];
    const stuck = await stuckAfter(service.table, 0, second);
    expect([stuck.isStuck, (await first()).status]).toEqual([true, 200]);
    expect((await stuck.goOn()).status).toBe(last === 'deletion' ? 200 : 404);
    expect((await service.get('/api/admin/projects/default/access')).body.groups).toEqual([]);
  });

  test.each(['deletion', 'change'])('of the project leaves no role: the %s comes last', async (last) => {
    const service = await freshService();
    const world = new World(service);
    const [id, project] = [await world.groupId(), await world.project()];
    const path = `/api/admin/projects/${project}`;
    const remove = () => service.call('DELETE', path);
    const give = () => service.call('PUT', `${path}/groups/${id}/roles`, { body: { roles: [5] } });
    const [first, second] = last === 'deletion' ? [give, remove] : [remove, give];
    const stuck = await stuckAfter(service.table, 0, second);
    expect([stuck.isStuck, (await first()).status]).toEqual([true, 200]);
    expect((await stuck.goOn()).status).toBe(last === 'deletion' ? 200 : 404);
    expect((await service.get(`/api/admin/groups/${id}`)).body.projects).toEqual([]);
  });
});

specify('addAccessToProject', {
  route: 'POST /api/admin/projects/{projectId}/access',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => ({
    params: { projectId: await world.project() },
    body: { roles: [5], groups: [await world.groupId()], users: [(await world.user()).id] },
  }),
  required: ['roles', 'groups', 'users'],
  again: 'nothing',
});

test('New roles are added to existing ones, and the event has the new ones', async ({ service, world }) => {
  const project = await world.project();
  const { id } = await world.user({ inProject: { project, role: 'Member' } });
  const group = await world.groupId();
  await world.ask('POST', `/api/admin/projects/${project}/access`, { roles: [4, 6], groups: [group], users: [id] });
  const { users, groups } = (await service.get(`/api/admin/projects/${project}/access`)).body;
  expect(users).toMatchObject([{ id, roles: [5, 4, 6] }]);
  expect(groups).toMatchObject([{ id: group, roles: [4, 6] }]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'project-access-added',
    project,
    data: {
      roles: [
        { roleId: 4, groupIds: [group], userIds: [id] },
        { roleId: 6, groupIds: [group], userIds: [id] },
      ],
    },
  });
});

test('Unknown users, groups and roles, and root roles, are refused and named', async ({ service }) => {
  const add = (body: object) => service.post('/api/admin/projects/default/access', body);
  expect(await add({ roles: [5, 77], groups: [77], users: [1, 88, 99] })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'users' }, { path: 'users' }, { path: 'groups' }, { path: 'roles.1' }] },
  });
  expect(await add({ roles: [1, 5, 77], groups: [], users: [1] })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'roles.0' }, { path: 'roles.2' }] },
  });
  expect((await service.get('/api/admin/projects/default/access')).body.users).toEqual([]);
});

test('Nobody can give rights that they do not have in the project and its environments', async ({ service, world }) => {
  const permissions = [
    { name: 'PROJECT_USER_ACCESS_WRITE' },
    { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' },
  ];
  const [gatekeeper, narrow, wide] = [
    await world.role({ permissions }),
    await world.role({ permissions: permissions.slice(1) }),
    await world.role({ permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT' }] }),
  ];
  const token = await world.tokenOfRole(3, [{ project: 'default', roles: [gatekeeper] }]);
  const { id } = await world.user();
  const give = async (role: number, as = token) => {
    const body = { roles: [role], groups: [], users: [id] };
    return (await service.post('/api/admin/projects/default/access', body, { token: as })).status;
  };
  expect(await give(wide)).toBe(403);
  expect(await give(4)).toBe(403);
  expect(await give(5)).toBe(403);
  const roles = (role: number) =>
    service.call('PUT', `/api/admin/projects/default/users/${id}/roles`, { token, body: { roles: [role] } });
  expect((await roles(4)).status).toBe(403);
  expect(await give(narrow)).toBe(200);
  expect(await give(6)).toBe(200);
  const owner = await world.tokenOfRole(3, [{ project: 'default', roles: [4] }]);
  expect(await give(4, owner)).toBe(200);
  expect(await give(gatekeeper, owner)).toBe(403);
  const two = [{ name: 'UPDATE_PROJECT' }, { name: 'UPDATE_FEATURE_STRATEGY', environment: 'production' }];
  const refused = await roles(await world.role({ permissions: two }));
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'You need the permissions "UPDATE_PROJECT" and "UPDATE_FEATURE_STRATEGY" in the environment "production" to do this.',
  ]);
  const elsewhere = await world.project();
  const body = { roles: [5], groups: [], users: [id] };
  expect((await service.post(`/api/admin/projects/${elsewhere}/access`, body, { token: owner })).status).toBe(403);
});

test('More users and groups get roles than fit into a transaction', async ({ service, world }) => {
  const people = Array.from({ length: 50 }, (_, index) => ({ username: `user-${index}` }));
  await seedStore(service.table, readSeed({ users: people }));
  const listed: { id: number; username: string }[] = (await service.get('/api/admin/user-admin')).body.users;
  const users = listed.filter(({ username }) => username !== 'admin').map(({ id }) => id);
  const give = (roles: readonly number[]) =>
    world.ask('POST', '/api/admin/projects/default/access', { roles, groups: [], users });
  await give([5]);
  expect((await service.get('/api/admin/projects/default/access')).body.users).toHaveLength(50);
  // Each use of one is written, too.
  const own = [await world.role(), await world.role(), await world.role()];
  await give(own);
  const holders = (await service.get(`/api/admin/projects/roles/${own[2]}/access`)).body.projects;
  expect(holders).toMatchObject([{ project: 'default', userCount: 50 }]);
  await world.ask('PUT', '/api/admin/projects/default/access', { roles: [] });
  expect((await service.get('/api/admin/projects/default/access')).body.users).toEqual([]);
});
