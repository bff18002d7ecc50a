import { endpoint } from '../../lib/http/endpoint.ts';
import { customMetrics, reportBytesMax } from '../../lib/usage/client-metrics-schema.ts';
import { registerCustomMetrics } from '../../lib/usage/register-usage.ts';

export const handler = endpoint({
  route: 'POST /api/client/metrics/custom',
  group: 'Client',
  summary: 'Records custom metrics of an application.',
  description: 'The last value for each name and set of labels is kept for a day.',
  audience: 'client',
  rights: 'count',
  body: customMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, body }) => registerCustomMetrics(request, scope, body));
