import { ofReports, usageReport } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('registerClientMetrics', {
  route: 'POST /api/client/metrics',
  may: 'client tokens',
  request: async (world) => ({ body: await usageReport(world) }),
  ...ofReports,
});
