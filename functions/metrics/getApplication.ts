import { loadApplication } from '../../lib/applications/applications.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { application } from '../../lib/schemas/application.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/metrics/applications/{appName}',
  group: 'Metrics',
  summary: 'Returns an application that has reported.',
  freeText: ['appName'],
  responses: { 200: application },
  etag: true,
  errors: [404],
}).handle(({ request, params }) => loadApplication(request, params.appName));
