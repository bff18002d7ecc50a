import * as v from 'valibot';
import { newestEvents } from '../../lib/events/event-log.ts';
import { event } from '../../lib/events/event-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object, text } from '../../lib/values/primitives.ts';

/** The number of events that it lists, as in Unleash. */
const newest = 100;

export const handler = endpoint({
  route: 'GET /api/admin/events',
  group: 'Events',
  summary: 'Lists the newest 100 events of the service, or of a project.',
  description:
    'The list may lag behind a change by a moment. `totalEvents` counts those of the newest 20,000 changes; earlier ones ' +
    'are found at `/api/admin/search/events`.',
  query: object({ project: v.exactOptional(text) }),
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ version: v.literal(1), events: v.array(event), totalEvents: count }) },
}).handle(async ({ request, query }) => {
  const { events, total } = await newestEvents(request, query.project, newest);
  return { version: 1, events, totalEvents: total };
});
