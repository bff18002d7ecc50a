import * as v from 'valibot';
import { searchEvents } from '../../lib/events/event-log.ts';
import { eventSearch, foundEvent } from '../../lib/events/event-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/search/events',
  group: 'Events',
  summary: 'Finds events by text, filters and time, newest first, page by page.',
  description:
    'All filters must hold: `type=IS_ANY_OF:feature-created,feature-archived`, `project=IS:default`, `createdBy=IS:1`, ' +
    '`from=IS:2026-01-01`, `to=IS:2026-01-31T08:00:00.000Z`. One request looks back on the newest 20,000 changes until `to`, with ' +
    '`query` on the newest 1,000 that pass the other filters, and `total` counts as far; what lies before is found with ' +
    'an earlier `to`. The list may lag behind a change by a moment; with `feature=IS:` and a name it does not. A page has fewer ' +
    'events than `limit` where more would exceed a reply: the next `offset` is behind those that it has.',
  query: eventSearch,
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ events: v.array(foundEvent), total: count }) },
}).handle(({ request, query }) => searchEvents(request, query));
