import { endpoint } from '../../lib/http/endpoint.ts';
import { loadProjectWithFeatures as reportOf } from '../../lib/insights/projects/project-report.ts';
import { projectWithFeatures } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}',
  group: 'Projects',
  summary: 'Returns a project with its features.',
  deprecated: true,
  throttle: { ratePerSecond: 20, burst: 40 },
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  responses: { 200: projectWithFeatures },
  etag: true,
}).handle(({ request, caller, params }) => reportOf(request, caller, params.projectId));
