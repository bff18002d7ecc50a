import * as v from 'valibot';
import { listChangeRequests } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listedChangeRequest } from '../../lib/requested/change-request-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests',
  group: 'Change requests',
  summary: 'Lists the newest change requests of a project.',
  permission: 'NONE',
  responses: { 200: v.array(listedChangeRequest) },
}).handle(({ request, caller, params }) => listChangeRequests(request, caller, params.projectId));
