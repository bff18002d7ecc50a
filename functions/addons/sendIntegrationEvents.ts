import { endpoint } from '../../lib/http/endpoint.ts';
import { addonPath, againInput } from '../../lib/integrations/addon-schema.ts';
import { askAgain } from '../../lib/integrations/ask-again.ts';

export const handler = endpoint({
  route: 'POST /api/admin/addons/{id}/events',
  group: 'Addons',
  summary: 'Sends events to an addon once more, or a test message.',
  description:
    '`{}` sends a made-up event of its first type. Otherwise those events are sent that fit all that is said: `ids` and ' +
    '`failed` choose among the events of its log, whose last attempt was from `since` to `until`; without them it is all ' +
    'events of that time that it is about, however old, and at most 10,000. They are sent soon after the reply, in order and ' +
    'one at a time, each with its `webhook-id` of before; its log shows what came of them. At most 10 requests of an addon wait at a time.',
  permission: 'UPDATE_ADDON',
  params: addonPath,
  body: againInput,
  responses: { 202: null },
}).handle(({ request, caller, params, body }) => askAgain(request, caller, params.id, body));
