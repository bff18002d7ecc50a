import { changeRequestPath, titleInput } from '../../lib/change-requests/change-request-schema.ts';
import { setTitle } from '../../lib/change-requests/states.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/title',
  group: 'Change requests',
  summary: 'Gives a change request a title.',
  permission: 'NONE',
  params: changeRequestPath,
  body: titleInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setTitle(request, caller, params, body.title));
