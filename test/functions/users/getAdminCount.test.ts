import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getAdminCount', {
  route: 'GET /api/admin/user-admin/admin-count',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: () => ({}),
  waits: 2,
});

test('Admins count by whether they have a password', async () => {
  const service = await freshService();
  const world = new World(service);
  await world.person({ rootRole: 'Admin' });
  await world.person({ rootRole: 'Editor' });
  const { body } = await service.get('/api/admin/user-admin/admin-count');
  expect(body).toEqual({ password: 1, noPassword: 1, service: 0 });
});
