import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getProjectChangeRequestConfig', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/config',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});

test('Every environment of the project is listed, in its order', async ({ service }) => {
  const usual = { changeRequestEnabled: false, requiredApprovals: null };
  expect((await service.get('/api/admin/projects/default/change-requests/config')).body).toEqual([
    { environment: 'development', type: 'development', ...usual },
    { environment: 'production', type: 'production', ...usual },
  ]);
});
