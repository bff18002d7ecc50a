import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { clientRegistration, reportBytesMax } from '../../lib/usage/client-metrics-schema.ts';
import { registerApplication } from '../../lib/usage/register-usage.ts';

export const handler = endpoint({
  route: 'POST /api/frontend/client/register',
  group: 'Frontend',
  summary: 'Registers an SDK in a page or an app that starts.',
  audience: 'frontend',
  rights: 'count',
  body: clientRegistration,
  compressedBody: true,
  bodyBytesMin: reportBytesMax,
  contentType: 'text/plain; charset=utf-8',
  responses: { 200: v.literal('OK') },
}).handle(async ({ request, scope, address, header, body }) => {
  await registerApplication(request, { scope, address, sdkType: 'frontend', sdk: header('unleash-sdk') }, body);
  return 'OK';
});
