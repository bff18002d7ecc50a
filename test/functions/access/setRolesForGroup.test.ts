import { describe, expect } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { World } from '../../harness/world.ts';
import { specify, test } from '../../specifications/specify.ts';

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

test('They have these roles and no others, and the event says which they had', async ({ service, world }) => {
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

describe('Of a deletion at the same moment', () => {
  test.each(['deletion', 'change'])('of the group, nothing is left in the project: the %s comes last', async (last) => {
    const service = await freshService();
    const id = await new World(service).groupId();
    const remove = () => service.call('DELETE', `/api/admin/groups/${id}`);
    const give = () => service.call('PUT', `/api/admin/projects/default/groups/${id}/roles`, { body: { roles: [5] } });
    const [first, second] = last === 'deletion' ? [give, remove] : [remove, give];
    const stuck = await stuckAfter(service.table, 0, second);
    expect([stuck.isStuck, (await first()).status]).toEqual([true, 200]);
    expect((await stuck.goOn()).status).toBe(last === 'deletion' ? 200 : 404);
    expect((await service.get('/api/admin/projects/default/access')).body.groups).toEqual([]);
  });

  test.each(['deletion', 'change'])('of the project, no role is left behind: the %s comes last', async (last) => {
    const service = await freshService();
    const world = new World(service);
    const [id, project] = [await world.groupId(), await world.project()];
    const path = `/api/admin/projects/${project}`;
    const remove = () => service.call('DELETE', path);
    const give = () => service.call('PUT', `${path}/groups/${id}/roles`, { body: { roles: [5] } });
    const [first, second] = last === 'deletion' ? [give, remove] : [remove, give];
    const stuck = await stuckAfter(service.table, 0, second);
    expect([stuck.isStuck, (await first()).status]).toEqual([true, 200]);
    expect((await stuck.goOn()).status).toBe(last === 'deletion' ? 200 : 404);
    expect((await service.get(`/api/admin/groups/${id}`)).body.projects).toEqual([]);
  });
});
