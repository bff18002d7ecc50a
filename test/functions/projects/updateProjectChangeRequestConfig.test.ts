import { describe, expect, test } from 'vitest';
import { protect } from '../../harness/protection.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { serviceForEach, specify } from '../../specifications/specify.ts';

specify('updateProjectChangeRequestConfig', {
  route: 'PUT /api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
  request: async (world) => {
    const place = { projectId: await world.project(), environment: 'development' };
    await protect(world.service.table, place);
    return {
      params: place,
      body: { changeRequestsEnabled: false, requiredApprovals: 2, onDrift: 'overwrite', selfApproval: 'admin' },
    };
  },
  required: ['changeRequestsEnabled'],
  nullable: ['requiredApprovals'],
  waits: 3,
});

describe('Change requests', () => {
  const service = serviceForEach();
  const pathIn = (environment: string) =>
    `/api/admin/projects/default/environments/${environment}/change-requests/config`;
  const listed = async () => (await service.get('/api/admin/projects/default/change-requests/config')).body;
  const off = { changeRequestEnabled: false, requiredApprovals: null };

  test('cannot be turned on, so that nobody counts on an approval that nothing asks for', async () => {
    const { status, body } = await service.put(pathIn('production'), { changeRequestsEnabled: true });
    expect(status).toBe(400);
    expect(body.details).toMatchObject([
      { path: 'changeRequestsEnabled', message: /Change requests are not supported yet/ },
    ]);
    expect(await listed()).toMatchObject([off, off]);
  });

  test.each([0, null, 3])('stay off when they are turned off, with %s approvals', async (requiredApprovals) => {
    const before = await serviceEvents(service.table);
    const answer = await service.put(pathIn('production'), { changeRequestsEnabled: false, requiredApprovals });
    expect(answer.status).toBe(204);
    expect(await listed()).toMatchObject([off, off]);
    expect(await serviceEvents(service.table)).toEqual(before);
  });

  test('of an environment that the project does not have are a 404', async () => {
    expect((await service.put(pathIn('default'), { changeRequestsEnabled: false })).status).toBe(404);
  });
});
