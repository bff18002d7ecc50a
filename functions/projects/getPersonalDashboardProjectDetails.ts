import { endpoint } from '../../lib/http/endpoint.ts';
import { dashboardProjectOf } from '../../lib/insights/dashboard.ts';
import { dashboardProject } from '../../lib/insights/dashboard-schema.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/personal-dashboard/{projectId}',
  group: 'Projects',
  summary:
    'Returns what the caller has to do with in a project: its owners, their roles, its newest events, its state.',
  permission: 'NONE',
  responses: { 200: dashboardProject },
  errors: [404],
}).handle(({ request, caller, params }) => dashboardProjectOf(request, caller, params.projectId));
