import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { addonPath, integrationEvent, sentSearch } from '../../lib/integrations/addon-schema.ts';
import { listSentEvents } from '../../lib/integrations/sent-log.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/addons/{id}/events',
  group: 'Addons',
  summary: 'Lists the events that were sent to an addon, wait or were given up, newest first.',
  description:
    'An entry for each event of the last 30 days that the addon is about: its state, what was sent and each attempt. One ' +
    'that waits is `failed`, and `stateDetails` says when the next attempt is; `state=failed` shows these, and what was ' +
    'given up, alone. A request looks back on the newest 20,000 entries.',
  permission: 'ADMIN',
  params: addonPath,
  query: sentSearch,
  responses: { 200: object({ integrationEvents: v.array(integrationEvent) }) },
}).handle(async ({ request, params, query }) => ({
  integrationEvents: await listSentEvents(request, params.id, query),
}));
