import { endpoint } from '../../lib/http/endpoint.ts';
import { clientMetrics, reportBytesMax } from '../../lib/usage/client-metrics-schema.ts';
import { registerMetrics } from '../../lib/usage/register-usage.ts';

export const handler = endpoint({
  route: 'POST /api/client/metrics',
  group: 'Client',
  summary: 'Records evaluations of features by an SDK.',
  audience: 'client',
  rights: 'count',
  body: clientMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, address, header, body }) =>
  registerMetrics(request, { scope, address, sdkType: 'backend', sdk: header('unleash-sdk') }, body),
);
