import { endpoint } from '../../lib/http/endpoint.ts';
import { outdatedSdks } from '../../lib/usage/applications/application-schema.ts';
import { listOutdatedSdks } from '../../lib/usage/applications/outdated-sdks.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/sdks/outdated',
  group: 'Metrics',
  summary: 'Lists outdated SDKs that have reported within a day, with the applications that use them.',
  responses: { 200: outdatedSdks },
}).handle(async ({ request }) => ({ sdks: await listOutdatedSdks(request) }));
