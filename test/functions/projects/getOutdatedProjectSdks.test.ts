import { specify } from '../../specifications/specify.ts';

specify('getOutdatedProjectSdks', {
  route: 'GET /api/admin/projects/{projectId}/sdks/outdated',
  may: 'any token',
  request: async (world) => ({ params: { projectId: await world.project() } }),
});
