import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('deleteGroup', {
  route: 'DELETE /api/admin/groups/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: await world.groupId({ users: [{ user: { id: (await world.user()).id } }] }) },
  }),
  waits: 3,
  again: 404,
});

test('A deleted group has no members any more, and its name is free', async ({ service, world }) => {
  const { id: user } = await world.user();
  const id = await world.groupId({ users: [{ user: { id: user } }] });
  expect(await world.groupsOf(user)).toEqual([id]);
  await world.ask('DELETE', `/api/admin/groups/${id}`);
  expect(await world.groupsOf(user)).toEqual([]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'group-deleted',
    preData: { id, users: [user] },
  });
  expect((await service.post('/api/admin/groups', { name: 'group-1' })).status).toBe(201);
});

specify('deleteScimGroups', {
  route: 'DELETE /api/admin/groups/scim-groups',
  ...openTo('Admin', 'ADMIN'),
  waits: 0,
  again: 'nothing',
});

specify('getGroup', {
  route: 'GET /api/admin/groups/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    const { id } = await world.user();
    return { params: { id: await world.groupId({ description: 'Experts', rootRole: 2, users: [{ user: { id } }] }) } };
  },
  waits: 2,
});

specify('getGroups', {
  route: 'GET /api/admin/groups',
  ...openTo('Admin', 'ADMIN'),
  given: (world) => world.groupId(),
});

test('A group has all its properties, also those that are empty', async ({ service, world }) => {
  const id = await world.groupId();
  expect((await service.get('/api/admin/groups')).body.groups).toEqual([
    {
      ...{ id, name: 'group-1', description: null, mappingsSSO: [], rootRole: null, users: [], projects: [] },
      ...{ userCount: 0, scimId: null, createdBy: expect.any(String), createdAt: expect.any(String) },
    },
  ]);
});
