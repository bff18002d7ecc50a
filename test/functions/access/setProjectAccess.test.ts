import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('setProjectAccess', {
  route: 'PUT /api/admin/projects/{projectId}/access',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  request: async (world) => {
    const projectId = await world.project();
    await world.user({ inProject: { project: projectId, role: 'Member' } });
    const body = { roles: [{ id: 5, groups: [await world.groupId()], users: [(await world.user()).id] }] };
    return { params: { projectId }, project: projectId, body };
  },
  required: ['roles', 'roles.0.id'],
  again: 'nothing',
});

test('Who is not named has no roles there any more', async ({ service, world }) => {
  const project = await world.project();
  const before = await world.user({ inProject: { project, role: 'Owner' } });
  const { id } = await world.user({ inProject: { project: 'default', role: 'Member' } });
  await world.ask('PUT', `/api/admin/projects/${project}/access`, {
    roles: [
      { id: 4, users: [id] },
      { id: 6, users: [id] },
    ],
  });
  const users = async (of: string) => (await service.get(`/api/admin/projects/${of}/access`)).body.users;
  expect(await users(project)).toMatchObject([{ id, roles: [4, 6] }]);
  expect(await users('default')).toMatchObject([{ id, roles: [5] }]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'project-access-updated',
    project,
    data: { roles: [{ roleId: 4, groupIds: [], userIds: [id] }, { roleId: 6 }] },
    preData: { roles: [{ roleId: 4, groupIds: [], userIds: [before.id] }] },
  });
  await world.ask('PUT', `/api/admin/projects/${project}/access`, { roles: [] });
  expect(await users(project)).toEqual([]);
});
