import { endpoint } from '../../lib/http/endpoint.ts';
import { clientRegistration, reportBytesMax } from '../../lib/usage/client-metrics-schema.ts';
import { registerApplication } from '../../lib/usage/register-usage.ts';

export const handler = endpoint({
  route: 'POST /api/client/register',
  group: 'Client',
  summary: 'Registers an SDK that starts.',
  audience: 'client',
  rights: 'count',
  body: clientRegistration,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  responses: { 202: null },
}).handle(({ request, scope, address, header, body }) =>
  registerApplication(request, { scope, address, sdkType: 'backend', sdk: header('unleash-sdk') }, body),
);
