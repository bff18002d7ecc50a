import { endpoint } from '../../lib/http/endpoint.ts';
import { projectApplications, projectApplicationsQuery } from '../../lib/usage/applications/application-schema.ts';
import { listProjectApplications } from '../../lib/usage/applications/project-applications.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/applications',
  group: 'Projects',
  summary: 'Lists the applications that have used features of a project within two days, page by page.',
  description: 'A page has 50 applications unless `limit` says otherwise, and at most 100.',
  query: projectApplicationsQuery,
  responses: { 200: projectApplications },
}).handle(({ request, params, query }) => listProjectApplications(request, params.projectId, query));
