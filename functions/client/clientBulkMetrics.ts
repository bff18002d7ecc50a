import { endpoint } from '../../lib/http/endpoint.ts';
import { bulkMetrics, reportBytesMax } from '../../lib/usage/client-metrics-schema.ts';
import { registerBulkMetrics } from '../../lib/usage/register-usage.ts';

export const handler = endpoint({
  route: 'POST /api/client/metrics/bulk',
  group: 'Client',
  summary: 'Records the metrics that a proxy has collected from SDKs in the environment of its token.',
  audience: 'client',
  rights: 'count',
  body: bulkMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, address, body }) =>
  registerBulkMetrics(request, { scope, address, sdkType: 'backend' }, body),
);
