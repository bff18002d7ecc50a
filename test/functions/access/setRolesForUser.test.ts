import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('setRolesForUser', {
  route: 'PUT /api/admin/projects/{projectId}/users/{userId}/roles',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  request: async (world) => {
    const projectId = await world.project();
    return { params: { projectId, userId: (await world.user()).id }, project: projectId, body: { roles: [5] } };
  },
  required: ['roles'],
  again: 'nothing',
});

test('They have these roles and no others, and the event says which they had', async ({ service, world }) => {
  const id = (await world.user()).id;
  const set = (roles: number[]) => world.ask('PUT', `/api/admin/projects/default/users/${id}/roles`, { roles });
  await set([4, 5]);
  await set([6]);
  expect((await service.get('/api/admin/projects/default/access')).body.users).toMatchObject([{ id, roles: [6] }]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'project-access-user-roles-updated',
    project: 'default',
    data: { userId: id, roles: [6] },
    preData: { userId: id, roles: [4, 5] },
  });
});
