import { endpoint } from '../../lib/http/endpoint.ts';
import { application } from '../../lib/usage/applications/application-schema.ts';
import { loadApplication } from '../../lib/usage/applications/applications.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/applications/{appName}',
  group: 'Metrics',
  summary: 'Returns an application that has reported.',
  freeText: ['appName'],
  responses: { 200: application },
  etag: true,
}).handle(({ request, params }) => loadApplication(request, params.appName));
