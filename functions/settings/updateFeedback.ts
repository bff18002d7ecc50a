import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { feedback, feedbackChange, uiId } from '../../lib/schemas/ui-state.ts';
import { keepFeedback } from '../../lib/users/ui-state.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/feedback/{id}',
  group: 'Admin UI',
  summary: 'Changes what the caller has answered to a question of the admin UI.',
  permission: 'NONE',
  params: object({ id: uiId }),
  body: feedbackChange,
  responses: { 200: feedback },
}).handle(({ request, caller, params, body: { neverShow, given = new Date().toISOString() } }) =>
  keepFeedback(request, { feedbackId: params.id, userId: caller.id, neverShow, given }),
);
