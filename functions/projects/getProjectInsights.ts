import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProjectInsights as reportOf } from '../../lib/insights/projects/project-report.ts';
import { projectInsights } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/insights',
  group: 'Projects',
  summary: 'Returns the health of a project and its recent activity.',
  deprecated: true,
  responses: { 200: projectInsights },
}).handle(({ request, params }) => reportOf(request, params.projectId));
