import { specify } from '../../specifications/specify.ts';

specify('getRawFeatureMetrics', {
  route: 'GET /api/admin/client-metrics/features/{name}/raw',
  may: 'any token',
  takesAnyName: ['name'],
  request: async (world) => ({ params: { name: (await world.feature()).name }, query: { hoursBack: 48 } }),
});
