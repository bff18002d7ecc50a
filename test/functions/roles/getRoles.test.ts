import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getRoles', {
  route: 'GET /api/admin/roles',
  may: ['Admin'],
  needs: ['ADMIN', 'READ_ROLE'],
  request: async (world) => {
    await world.role();
    return {};
  },
});

test('The roles of the service come first, mostly under the ids of Unleash, then those of the team', async ({
  service,
  world,
}) => {
  const id = await world.role({ type: 'root-custom', description: 'Looks after tags' });
  const { roles } = (await service.get('/api/admin/roles')).body;
  expect(roles.map((role: { id: number; name: string; type: string }) => [role.id, role.name, role.type])).toEqual([
    [1, 'Admin', 'root'],
    [2, 'Editor', 'root'],
    [3, 'Viewer', 'root'],
    [4, 'Owner', 'project'],
    [5, 'Member', 'project'],
    [6, 'Reader', 'project'],
    [1_000_000_000, 'Approver', 'project'],
    [id, 'role-1', 'root-custom'],
  ]);
  expect(roles.at(-1).description).toBe('Looks after tags');
});

test('A user may read roles by a role of their own that says so, and nothing else of an Admin', async ({
  service,
  world,
}) => {
  const rootRole = await world.role({ type: 'root-custom', permissions: [{ name: 'READ_ROLE' }] });
  const token = await world.tokenOfRole(rootRole);
  expect((await service.get('/api/admin/roles', { token })).status).toBe(200);
  expect((await service.post('/api/admin/roles', { name: 'mine' }, { token })).status).toBe(403);
});
