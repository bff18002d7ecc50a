import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getProjectAccess', {
  route: 'GET /api/admin/projects/{projectId}/access',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ', 'PROJECT_USER_ACCESS_WRITE'],
  request: async (world) => {
    const projectId = await world.project();
    await world.user({ inProject: { project: projectId, role: 'Member' } });
    return { params: { projectId }, project: projectId };
  },
});

test('It has who has roles there, with all of these, and the roles that can be given', async ({ service, world }) => {
  const [role, project] = [await world.role(), await world.project()];
  const { id } = await world.user({ inProject: { project, role: 'Member' } });
  await world.user({ inProject: { project: 'default', role: 'Owner' } });
  const group = await world.groupId({ users: [{ user: { id } }] });
  await world.ask('PUT', `/api/admin/projects/${project}/groups/${group}/roles`, { roles: [role, 6] });
  const { users, groups, roles } = (await service.get(`/api/admin/projects/${project}/access`)).body;
  expect(users).toMatchObject([{ id, accountType: 'User', roleId: 5, roles: [5], addedAt: expect.any(String) }]);
  expect(groups).toMatchObject([{ id: group, roleId: role, roles: [role, 6], projects: [project], userCount: 1 }]);
  expect(roles.map((each: { id: number }) => each.id)).toEqual([4, 5, 6, 1_000_000_000, role]);
});
