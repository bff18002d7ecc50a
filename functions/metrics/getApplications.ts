import { searchApplications } from '../../lib/applications/applications.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { applications, applicationsQuery } from '../../lib/schemas/application.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/metrics/applications',
  group: 'Metrics',
  summary: 'Lists the applications that have reported, with where they use flags.',
  query: applicationsQuery,
  responses: { 200: applications },
}).handle(({ request, query }) => searchApplications(request, query));
