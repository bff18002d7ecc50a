import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProjectStatus as statusOf } from '../../lib/insights/projects/project-overview.ts';
import { projectStatus } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/status',
  group: 'Projects',
  summary: 'Returns the number of features of a project in each stage of the life cycle, and its other resources.',
  reads: ['READABLE_CLIENT_TOKENS'],
  responses: { 200: projectStatus },
}).handle(({ request, params }) => statusOf(request, params.projectId));
