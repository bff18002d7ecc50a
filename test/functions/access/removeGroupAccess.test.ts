import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('removeGroupAccess', {
  route: 'DELETE /api/admin/projects/{projectId}/groups/{groupId}/roles',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  request: async (world) => {
    const projectId = await world.project();
    const id = await world.groupId();
    await world.ask('PUT', `/api/admin/projects/${projectId}/groups/${id}/roles`, { roles: [5] });
    return { params: { projectId, groupId: id }, project: projectId };
  },
  again: 'nothing',
});

test('They have no roles there any more, and the event says which they had', async ({ service, world }) => {
  const id = await world.groupId();
  await world.ask('PUT', `/api/admin/projects/default/groups/${id}/roles`, { roles: [4] });
  await world.ask('DELETE', `/api/admin/projects/default/groups/${id}/roles`);
  expect((await service.get('/api/admin/projects/default/access')).body.groups).toEqual([]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'project-access-group-roles-deleted',
    project: 'default',
    preData: { groupId: id, roles: [4] },
  });
});
