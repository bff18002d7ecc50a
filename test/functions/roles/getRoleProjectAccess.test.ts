import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getRoleProjectAccess', {
  route: 'GET /api/admin/projects/roles/{id}/access',
  may: ['Admin'],
  needs: ['ADMIN', 'READ_ROLE'],
  request: async (world) => ({ params: { id: await world.role() } }),
});

test('It counts who has the role in each project', async ({ service, world }) => {
  const [role, project] = [await world.role(), await world.project()];
  const access = async () => (await service.get(`/api/admin/projects/roles/${role}/access`)).body.projects;
  expect(await access()).toEqual([]);
  await world.tokenOfRole(3, [{ project: 'default', roles: [role, 5] }]);
  await world.tokenOfRole(3, [
    { project, roles: [role] },
    { project: 'default', roles: [role] },
  ]);
  expect(await access()).toEqual([
    { project: 'default', role, userCount: 2, serviceAccountCount: 0, groupCount: 0 },
    { project, role, userCount: 1, serviceAccountCount: 0, groupCount: 0 },
  ]);
});
