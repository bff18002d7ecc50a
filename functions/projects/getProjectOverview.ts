import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProjectOverview as overviewOf } from '../../lib/insights/projects/project-overview.ts';
import { projectOverview } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/overview',
  group: 'Projects',
  summary: 'Returns a project with its environments and its numbers of features and members.',
  // Whether it is a favorite is a question of who asks.
  permission: 'NONE',
  responses: { 200: projectOverview },
  etag: true,
}).handle(({ request, caller, params }) => overviewOf(request, caller, params.projectId));
