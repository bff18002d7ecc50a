import { expect } from 'vitest';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('deleteInactiveUsers', {
  route: 'POST /api/admin/user-admin/inactive/delete',
  unversioned: 'it is about many things',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ body: { ids: [(await world.user()).id] } }),
  required: ['ids'],
  waits: 3,
  differs: 'users who are gone are left out, so that it completes when it is sent again',
});

test('All of the list are deleted but for those who are gone and the last Admin', async ({ service, world }) => {
  const ids = [(await world.user()).id, (await world.user()).id];
  const path = '/api/admin/user-admin/inactive/delete';
  expect((await service.post(path, { ids: [...ids, 999] })).status).toBe(200);
  for (const id of ids) expect((await service.get(`/api/admin/user-admin/${id}`)).status).toBe(404);
  const [admin] = (await service.get('/api/admin/user-admin')).body.users;
  expect((await service.post(path, { ids: [admin.id] })).status).toBe(400);
});

test('Whoever deletes users stays, as on Unleash', async ({ service, world }) => {
  const [admin, user] = [await world.user({ rootRole: 'Admin' }), await world.user()];
  const { secret: token } = await world.pat(admin);
  const ids = [admin.id, user.id];
  expect((await service.post('/api/admin/user-admin/inactive/delete', { ids }, { token })).status).toBe(200);
  expect((await service.get(`/api/admin/user-admin/${admin.id}`)).status).toBe(200);
  expect((await service.get(`/api/admin/user-admin/${user.id}`)).status).toBe(404);
});

test('Two requests at once for the same users are both a 200, and delete each once', async ({ service, world }) => {
  const ids = [(await world.user()).id, (await world.user()).id, (await world.user()).id];
  const both = [0, 1].map(() => service.post('/api/admin/user-admin/inactive/delete', { ids }));
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  const { events } = (await service.get('/api/admin/events')).body;
  expect(events.filter(({ type }: { type: string }) => type === 'user-deleted')).toHaveLength(ids.length);
});
