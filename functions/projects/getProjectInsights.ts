import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProjectInsights as reportOf } from '../../lib/projects/overviews/project-report.ts';
import { projectInsights } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/projects/{projectId}/insights',
  group: 'Projects',
  summary: 'Returns the health of a project and its recent activity.',
  deprecated: true,
  responses: { 200: projectInsights },
  errors: [404],
}).handle(({ request, params }) => reportOf(request, params.projectId));
