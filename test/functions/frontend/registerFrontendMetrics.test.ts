import { ofReports, usageReport } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('registerFrontendMetrics', {
  route: 'POST /api/frontend/client/metrics',
  may: 'frontend tokens',
  request: async (world) => ({ body: await usageReport(world) }),
  ...ofReports,
});
