import { specify } from '../../specifications/specify.ts';

specify('getFeatureUsageSummary', {
  route: 'GET /api/admin/client-metrics/features/{name}',
  may: 'any token',
  takesAnyName: ['name'],
  request: async (world) => ({ params: { name: (await world.feature()).name } }),
});
