import { endpoint } from '../../lib/http/endpoint.ts';
import { keepFeedback } from '../../lib/people/ui-state.ts';
import { feedback, feedbackChange, uiId } from '../../lib/people/ui-state-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/feedback/{id}',
  group: 'Admin UI',
  summary: 'Updates the answer of the caller to a question of the admin UI.',
  permission: 'NONE',
  params: object({ id: uiId }),
  body: feedbackChange,
  responses: { 200: feedback },
  errors: [],
}).handle(({ request, caller, params, body: { neverShow, given = new Date().toISOString() } }) =>
  keepFeedback(request, { feedbackId: params.id, userId: caller.id, neverShow, given }),
);
