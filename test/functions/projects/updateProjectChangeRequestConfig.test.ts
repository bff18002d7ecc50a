import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify } from '../../specifications/specify.ts';

specify('updateProjectChangeRequestConfig', {
  route: 'PUT /api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
  request: async (world) => ({
    params: { projectId: await world.project(), environment: 'development' },
    body: { changeRequestsEnabled: true, requiredApprovals: 2 },
  }),
  required: ['changeRequestsEnabled'],
  nullable: ['requiredApprovals'],
});

test('What is set is listed, stays where it is left out, and is recorded', async () => {
  const service = await freshService();
  const path = '/api/admin/projects/default/environments/production/change-requests/config';
  const listed = async () => (await service.get('/api/admin/projects/default/change-requests/config')).body[1];
  expect((await service.put(path, { changeRequestsEnabled: true, requiredApprovals: 3 })).status).toBe(204);
  expect(await listed()).toMatchObject({ changeRequestEnabled: true, requiredApprovals: 3 });
  await service.put(path, { changeRequestsEnabled: false });
  expect(await listed()).toMatchObject({ changeRequestEnabled: false, requiredApprovals: 3 });
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'change-request-configuration-updated',
    project: 'default',
    environment: 'production',
    data: { changeRequestsEnabled: false, requiredApprovals: 3 },
  });
  expect((await service.put(path.replace('production', 'default'), { changeRequestsEnabled: true })).status).toBe(404);
});
