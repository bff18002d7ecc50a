import { endpoint } from '../../lib/http/endpoint.ts';
import { dashboardOf } from '../../lib/insights/dashboard.ts';
import { dashboard } from '../../lib/insights/dashboard-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/personal-dashboard',
  group: 'Projects',
  summary: 'Returns the projects and features of the caller, and the administrators to ask.',
  description: 'It lists the latest 100 features that the caller has created or marked as favorites.',
  permission: 'NONE',
  throttle: { ratePerSecond: 50, burst: 100 },
  responses: { 200: dashboard },
}).handle(({ request, caller }) => dashboardOf(request, caller));
