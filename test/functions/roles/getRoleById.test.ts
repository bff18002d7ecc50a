import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getRoleById', {
  route: 'GET /api/admin/roles/{id}',
  may: ['Admin'],
  needs: ['ADMIN', 'READ_ROLE'],
  request: async (world) => ({ params: { id: await world.role({ permissions: [{ name: 'CREATE_FEATURE' }] }) } }),
});

test('A role of the service says what it allows, too', async () => {
  const service = await freshService();
  const admin = (await service.get('/api/admin/roles/1')).body;
  expect(admin).toMatchObject({
    id: 1,
    name: 'Admin',
    type: 'root',
    permissions: [{ id: 1, name: 'ADMIN', displayName: 'Admin', type: 'root' }],
  });
  const names = async (id: number) =>
    (await service.get(`/api/admin/roles/${id}`)).body.permissions.map(({ name }: { name: string }) => name);
  expect(await names(6)).toEqual([]);
  expect(await names(4)).toEqual(expect.arrayContaining([...(await names(5)), 'UPDATE_PROJECT']));
});
