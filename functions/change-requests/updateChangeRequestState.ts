import { changeRequestPath, stateInput, stateReply } from '../../lib/change-requests/change-request-schema.ts';
import { changeState } from '../../lib/change-requests/states.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/state',
  group: 'Change requests',
  summary: 'Sends a change request to review, approves, rejects, cancels, schedules or applies it.',
  permission: 'NONE',
  params: changeRequestPath,
  body: stateInput,
  responses: { 200: stateReply },
  etag: 'checked',
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => changeState(request, caller, params, body),
  ({ state, scheduledAt }, { body: { comment } }) => ({
    body: { state, ...(scheduledAt && { scheduledAt }), ...(comment && { comment }) },
  }),
);
