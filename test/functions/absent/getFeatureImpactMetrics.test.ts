import { specify } from '../../specifications/specify.ts';

specify('getFeatureImpactMetrics', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/impact-metrics/config',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  ofArchived: true,
});
