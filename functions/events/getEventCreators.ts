import * as v from 'valibot';
import { listEventCreators } from '../../lib/events/event-log.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { integer, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/event-creators',
  group: 'Events',
  summary: 'Lists the users who made the latest 20,000 changes, by name.',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: v.array(object({ id: integer, name: text })) },
}).handle(({ request }) => listEventCreators(request));
