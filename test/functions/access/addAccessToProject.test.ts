import { expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('addAccessToProject', {
  route: 'POST /api/admin/projects/{projectId}/access',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'),
  request: async (world) => {
    const projectId = await world.project();
    const body = { roles: [5], groups: [await world.groupId()], users: [(await world.user()).id] };
    return { params: { projectId }, project: projectId, body };
  },
  required: ['roles', 'groups', 'users'],
  again: 'nothing',
});

test('Roles come besides those that somebody has, and the event says who got which', async ({ service, world }) => {
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

test('Unknown users, groups and roles, and root roles, are named; nothing happens', async ({ service }) => {
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

test('Nobody gives rights that they do not have, in the project or its environments', async ({ service, world }) => {
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
  const elsewhere = await world.project();
  const body = { roles: [5], groups: [], users: [id] };
  expect((await service.post(`/api/admin/projects/${elsewhere}/access`, body, { token: owner })).status).toBe(403);
});

test('More of them are given roles of either kind than one transaction takes', async ({ service, world }) => {
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
