import { changeRequestPath, commentInput } from '../../lib/change-requests/change-request-schema.ts';
import { addComment } from '../../lib/change-requests/states.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/comments',
  group: 'Change requests',
  summary: 'Adds a comment to a change request.',
  permission: 'NONE',
  params: changeRequestPath,
  body: commentInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addComment(request, caller, params, body.text));
