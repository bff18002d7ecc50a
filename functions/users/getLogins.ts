import * as v from 'valibot';
import { csvOrJson } from '../../lib/http/content-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { historyCsv, listHistory } from '../../lib/sign-in/history.ts';
import { loginEvent } from '../../lib/sign-in/login-event-schema.ts';
import { object, positiveIntegerText } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/logins',
  group: 'Users',
  summary: 'Lists sign-ins and failed attempts, newest first.',
  description:
    'Attempts are kept for 90 days: all that succeed, and of those that fail 250 of each way to sign in within 15 minutes. ' +
    'A typed user name that no user has is left out, since it may be a password. ' +
    'The reply has at most 2,000 entries; `before` asks for those before one. With `Accept: text/csv` it is CSV.',
  permission: 'READ_LOGS',
  csv: true,
  query: object({ limit: v.exactOptional(positiveIntegerText), before: v.exactOptional(positiveIntegerText) }),
  responses: { 200: object({ events: v.array(loginEvent) }) },
}).handle(
  ({ request, query }) => listHistory(request, query),
  (events, { header }) => csvOrJson(header('accept'), () => historyCsv(events), { events }),
);
