import { changeRequest, changesInput } from '../../lib/change-requests/change-request-schema.ts';
import { addChanges } from '../../lib/change-requests/edit.ts';
import { changeRequestView } from '../../lib/change-requests/views/views.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests',
  group: 'Change requests',
  summary: 'Adds changes to the draft of the caller in an environment, or to a new one.',
  permission: 'NONE',
  body: changesInput,
  responses: { 200: changeRequest },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => addChanges(request, caller, params, body),
  (value) => ({ body: changeRequestView(value) }),
);
