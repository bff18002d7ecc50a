import { endpoint } from '../../lib/http/endpoint.ts';
import { loadHealthReport as reportOf } from '../../lib/insights/projects/project-report.ts';
import { healthReport } from '../../lib/projects/project-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/health-report',
  group: 'Projects',
  summary: 'Returns a project with its features and the number of stale ones.',
  deprecated: true,
  throttle: { ratePerSecond: 20, burst: 40 },
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  responses: { 200: healthReport },
  etag: true,
}).handle(({ request, caller, params }) => reportOf(request, caller, params.projectId));
