import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteServiceAccount', {
  route: 'DELETE /api/admin/service-account/{id}',
  versionAt: 'replies',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const account = await world.serviceAccount();
    await world.pat(account);
    return { params: { id: account.id } };
  },
  again: 404,
});

test('Its tokens are worth nothing, and its name is free', async ({ service, world }) => {
  const { id, username } = await world.serviceAccount();
  const { secret } = await world.serviceAccountToken(id);
  await world.ask('DELETE', `/api/admin/service-account/${id}`);
  expect((await service.get('/api/admin/user', { token: secret })).status).toBe(401);
  expect((await service.post('/api/admin/service-account', { username, name: 'CI', rootRole: 3 })).status).toBe(201);
});
