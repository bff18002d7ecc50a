import { changeRequest, changeRequestPath } from '../../lib/change-requests/change-request-schema.ts';
import { getChangeRequest } from '../../lib/change-requests/views/lists.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  group: 'Change requests',
  summary: 'Returns a change request with its changes, reviews and comments.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: changeRequest },
  etag: true,
}).handle(({ request, caller, params }) => getChangeRequest(request, caller, params));
