import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getAdminCount', {
  route: 'GET /api/admin/user-admin/admin-count',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: () => ({}),
  waits: 2,
});

test('Admins count by whether they have a password', async ({ service, world }) => {
  await world.person({ rootRole: 'Admin' });
  await world.person({ rootRole: 'Editor' });
  const { body } = await service.get('/api/admin/user-admin/admin-count');
  expect(body).toEqual({ password: 1, noPassword: 1, service: 0 });
});
