import { specify } from '../../specifications/specify.ts';

specify('getProjectApplications', {
  route: 'GET /api/admin/projects/{projectId}/applications',
  may: 'any token',
  request: async (world) => ({
    params: { projectId: await world.project() },
    query: { query: 'app', offset: 0, limit: 10, sortBy: 'appName', sortOrder: 'asc' },
  }),
  differs: 'an unknown project is a 404',
});
