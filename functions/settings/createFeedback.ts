import { endpoint } from '../../lib/http/endpoint.ts';
import { feedback, feedbackInput } from '../../lib/schemas/ui-state.ts';
import { keepFeedback } from '../../lib/users/ui-state.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/feedback',
  group: 'Admin UI',
  summary: 'Notes that the caller has answered a question of the admin UI.',
  permission: 'NONE',
  body: feedbackInput,
  responses: { 200: feedback },
}).handle(({ request, caller, body }) =>
  keepFeedback(request, { ...body, userId: caller.id, given: new Date().toISOString() }),
);
