import { changeRequestCounts } from '../../lib/change-requests/change-request-schema.ts';
import { countChangeRequests } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/count',
  group: 'Change requests',
  summary: 'Counts the newest 10,000 change requests of a project by state.',
  permission: 'NONE',
  responses: { 200: changeRequestCounts },
}).handle(({ request, caller, params }) => countChangeRequests(request, caller, params.projectId));
