import { specify } from '../../specifications/specify.ts';

specify('getApplicationOverview', {
  route: 'GET /api/admin/metrics/applications/{appName}/overview',
  may: 'any token',
  request: async (world) => ({ params: { appName: await world.application() } }),
  differs: 'an unknown application is a 404',
});
