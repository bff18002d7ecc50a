import { specify } from '../../specifications/specify.ts';

specify('getCustomMetrics', {
  route: 'GET /api/admin/custom-metrics',
  may: 'any token',
  request: () => ({}),
});
