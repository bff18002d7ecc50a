import { endpoint } from '../../lib/http/endpoint.ts';
import { applications, applicationsQuery } from '../../lib/usage/applications/application-schema.ts';
import { searchApplications } from '../../lib/usage/applications/applications.ts';

export const handler = endpoint({
  route: 'GET /api/admin/metrics/applications',
  group: 'Metrics',
  summary: 'Lists the applications that have reported, with the projects and environments where they use flags.',
  query: applicationsQuery,
  responses: { 200: applications },
}).handle(({ request, query }) => searchApplications(request, query));
