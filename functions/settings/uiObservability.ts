import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/record-ui-error',
  group: 'Admin UI',
  summary: 'Records an error in the admin UI.',
  description: 'The log has a line for the request, but not its body, which may hold anything that was on the page.',
  rights: 'none',
  body: object({ errorMessage: text, errorStack: v.exactOptional(text) }),
  responses: { 204: null },
}).handle(async () => {});
