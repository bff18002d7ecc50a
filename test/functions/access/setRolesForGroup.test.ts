import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('setRolesForGroup', {
  route: 'PUT /api/admin/projects/{projectId}/groups/{groupId}/roles',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'],
  request: async (world) => {
    const projectId = await world.project();
    return { params: { projectId, groupId: await world.groupId() }, project: projectId, body: { roles: [5] } };
  },
  required: ['roles'],
  again: 'nothing',
});

test('They have these roles and no others, and the event says which they had', async () => {
  const service = await freshService();
  const world = new World(service);
  const id = await world.groupId();
  const set = (roles: number[]) => world.ask('PUT', `/api/admin/projects/default/groups/${id}/roles`, { roles });
  await set([4, 5]);
  await set([6]);
  expect((await service.get('/api/admin/projects/default/access')).body.groups).toMatchObject([{ id, roles: [6] }]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'project-access-group-roles-updated',
    project: 'default',
    data: { groupId: id, roles: [6] },
    preData: { groupId: id, roles: [4, 5] },
  });
});

test('Of a deletion of the group at the same moment, nothing is left in the project', async () => {
  const service = await freshService();
  const world = new World(service);
  for (let round = 0; round < 5; round += 1) {
    const id = await world.groupId();
    const path = `/api/admin/projects/default/groups/${id}/roles`;
    const [deleted, given] = await Promise.all([
      service.call('DELETE', `/api/admin/groups/${id}`),
      service.call('PUT', path, { body: { roles: [5] } }),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(given.status);
    expect((await service.get('/api/admin/projects/default/access')).body.groups).toEqual([]);
  }
});

test('A project that is deleted at the same moment leaves no role behind', async () => {
  const service = await freshService();
  const world = new World(service);
  for (let round = 0; round < 5; round += 1) {
    const [id, project] = [await world.groupId(), await world.project()];
    const [deleted, given] = await Promise.all([
      service.call('DELETE', `/api/admin/projects/${project}`),
      service.call('PUT', `/api/admin/projects/${project}/groups/${id}/roles`, { body: { roles: [5] } }),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(given.status);
    expect((await service.get(`/api/admin/groups/${id}`)).body.projects).toEqual([]);
  }
});
