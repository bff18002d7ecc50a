import { changeInput, changePath, changeRequest } from '../../lib/change-requests/change-request-schema.ts';
import { editChange } from '../../lib/change-requests/edit.ts';
import { changeRequestView } from '../../lib/change-requests/views/views.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  group: 'Change requests',
  summary: 'Replaces a change of a change request.',
  permission: 'NONE',
  params: changePath,
  body: changeInput,
  responses: { 200: changeRequest },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => editChange(request, caller, params, body),
  (value) => ({ body: changeRequestView(value) }),
);
