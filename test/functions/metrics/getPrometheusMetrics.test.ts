import { specify } from '../../specifications/specify.ts';

specify('getPrometheusMetrics', {
  route: 'GET /api/admin/custom-metrics/prometheus',
  may: 'any token',
  request: () => ({}),
});
