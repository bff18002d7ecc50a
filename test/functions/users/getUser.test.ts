import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getUser', {
  route: 'GET /api/admin/user-admin/{id}',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: async (world) => ({ params: { id: (await world.user()).id } }),
});

test('A sign-in changes the ETag of a user, and not the version that a change of them rests on', async ({
  service,
  world,
}) => {
  const { id, username } = await world.user();
  const path = `/api/admin/user-admin/${id}`;
  const password = 'Correct-Horse-7';
  expect(await service.post(`${path}/change-password`, { password })).toMatchObject({ status: 200 });
  const { etag } = (await service.get(path)).headers;
  expect(await service.post('/auth/simple/login', { username, password })).toMatchObject({ status: 200 });
  const after = await service.get(path, { headers: { 'if-none-match': String(etag) } });
  expect(after).toMatchObject({ status: 200, body: { seenAt: expect.any(String) } });
  const headers = { 'if-match': String(etag) };
  expect(await service.put(path, { name: 'Somebody' }, { headers })).toMatchObject({ status: 200 });
});
