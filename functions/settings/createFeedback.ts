import { endpoint } from '../../lib/http/endpoint.ts';
import { keepFeedback } from '../../lib/people/ui-state.ts';
import { feedback, feedbackInput } from '../../lib/people/ui-state-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/feedback',
  group: 'Admin UI',
  summary: 'Records the answer of the caller to a question of the admin UI.',
  permission: 'NONE',
  body: feedbackInput,
  responses: { 200: feedback },
}).handle(({ request, caller, body }) =>
  keepFeedback(request, { ...body, userId: caller.id, given: new Date().toISOString() }),
);
