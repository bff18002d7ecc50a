import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { clientMetrics, reportBytesMax } from '../../lib/usage/client-metrics-schema.ts';
import { registerMetrics } from '../../lib/usage/register-usage.ts';

export const handler = endpoint({
  route: 'POST /api/frontend/client/metrics',
  group: 'Frontend',
  summary: 'Records evaluations of features by a page or an app.',
  audience: 'frontend',
  rights: 'count',
  body: clientMetrics,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  contentType: 'text/plain; charset=utf-8',
  responses: { 200: v.literal('OK') },
}).handle(async ({ request, scope, address, header, body }) => {
  await registerMetrics(request, { scope, address, sdkType: 'frontend', sdk: header('unleash-sdk') }, body);
  return 'OK';
});
