import { specify } from '../../specifications/specify.ts';

specify('getImpactMetricsMetadata', {
  route: 'GET /api/admin/impact-metrics/metadata',
  may: 'any token',
  request: () => ({}),
});
