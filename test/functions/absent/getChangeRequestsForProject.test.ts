import { specify } from '../../specifications/specify.ts';

specify('getChangeRequestsForProject', {
  route: 'GET /api/admin/projects/{projectId}/change-requests',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});
