import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getUser', {
  route: 'GET /api/admin/user-admin/{id}',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: async (world) => ({ params: { id: (await world.user()).id } }),
});

test('An unknown user is a 404', async () => {
  expect(await (await freshService()).get('/api/admin/user-admin/99')).toMatchObject({ status: 404 });
});
