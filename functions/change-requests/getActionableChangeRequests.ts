import { countActionable } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/actionable',
  group: 'Change requests',
  summary: 'Counts the change requests of a project that wait for the caller.',
  permission: 'NONE',
  responses: { 200: object({ total: count }) },
}).handle(({ request, caller, params }) => countActionable(request, caller, params.projectId));
