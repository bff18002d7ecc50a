import { specify } from '../../specifications/specify.ts';

specify('getApplication', {
  route: 'GET /api/admin/metrics/applications/{appName}',
  may: 'any token',
  request: async (world) => ({ params: { appName: await world.application() } }),
});
