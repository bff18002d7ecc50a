import { endpoint } from '../../lib/http/endpoint.ts';
import { registerApplication } from '../../lib/reports/register-usage.ts';
import { clientRegistration, reportBytesMax } from '../../lib/schemas/client-metrics.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/client/register',
  group: 'Client',
  summary: 'Takes note of an SDK that starts.',
  audience: 'client',
  rights: 'count',
  body: clientRegistration,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, address, header, body }) =>
  registerApplication(request, { scope, address, sdkType: 'backend', sdk: header('unleash-sdk') }, body),
);
