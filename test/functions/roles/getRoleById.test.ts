import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getRoleById', {
  route: 'GET /api/admin/roles/{id}',
  may: ['Admin'],
  needs: ['ADMIN', 'READ_ROLE'],
  request: async (world) => ({ params: { id: await world.role({ permissions: [{ name: 'CREATE_FEATURE' }] }) } }),
});

test('A role of the service says what it allows, too', async ({ service }) => {
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

test('Everybody reads the root role that they have, and no other', async ({ service, world }) => {
  const role = await world.role({ type: 'root-custom', permissions: [{ name: 'CREATE_SEGMENT' }] });
  const token = await world.tokenOfRole(role);
  const status = async (id: number, own: string) =>
    (await service.get(`/api/admin/roles/${id}`, { token: own })).status;
  expect(await status(role, token)).toBe(200);
  for (const other of [1, 3, 4, 9_999]) expect(await status(other, token)).toBe(403);
  const viewer = await world.token({ rootRole: 'Viewer' });
  expect([await status(3, viewer), await status(role, viewer)]).toEqual([200, 403]);
});
