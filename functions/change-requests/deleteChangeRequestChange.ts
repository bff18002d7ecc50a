import { changePath } from '../../lib/change-requests/change-request-schema.ts';
import { discardChange } from '../../lib/change-requests/edit.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  group: 'Change requests',
  summary: 'Takes a change out of a change request.',
  permission: 'NONE',
  params: changePath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => discardChange(request, caller, params));
