import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteGroup', {
  route: 'DELETE /api/admin/groups/{id}',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => ({
    params: { id: await world.groupId({ users: [{ user: { id: (await world.user()).id } }] }) },
  }),
  waits: 3,
  again: 404,
});

test('Its members are no members any more, and its name is free', async ({ service, world }) => {
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
