import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getServiceAccounts', {
  route: 'GET /api/admin/service-account',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    await world.serviceAccount();
    return {};
  },
});

test('A service account is among these, with its tokens, and in no list of users; who asks for access sees it', async ({
  service,
  world,
}) => {
  const { id, username } = await world.serviceAccount();
  const { secret: _, ...token } = await world.serviceAccountToken(id);
  const { serviceAccounts, rootRoles } = (await service.get('/api/admin/service-account')).body;
  expect(serviceAccounts).toMatchObject([{ id, username, rootRole: 3, tokens: [token] }]);
  expect(rootRoles.map((role: { id: number }) => role.id)).toEqual([1, 2, 3]);
  const { users } = (await service.get('/api/admin/user-admin')).body;
  expect(users.map((user: { username: string }) => user.username)).toEqual(['admin']);
  expect((await service.get(`/api/admin/user-admin/search?q=${username}`)).body).toEqual([]);
  expect((await service.get(`/api/admin/user-admin/${id}`)).status).toBe(404);
  expect((await service.get('/api/admin/user-admin/access')).body.users).toContainEqual(
    expect.objectContaining({ id, accountType: 'Service Account' }),
  );
});
