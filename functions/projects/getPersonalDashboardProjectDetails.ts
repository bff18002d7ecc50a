import { endpoint } from '../../lib/http/endpoint.ts';
import { dashboardProjectOf } from '../../lib/insights/dashboard.ts';
import { dashboardProject } from '../../lib/insights/dashboard-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/personal-dashboard/{projectId}',
  group: 'Projects',
  summary: 'Returns a project as the caller needs it: its owners, their roles, its latest events, its health.',
  permission: 'NONE',
  responses: { 200: dashboardProject },
}).handle(({ request, caller, params }) => dashboardProjectOf(request, caller, params.projectId));
