import { changeRequestPath } from '../../lib/change-requests/change-request-schema.ts';
import { removeChangeRequest } from '../../lib/change-requests/states.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}',
  group: 'Change requests',
  summary: 'Discards a draft, or cancels a change request that is under review.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => removeChangeRequest(request, caller, params));
