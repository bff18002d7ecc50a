import * as v from 'valibot';
import * as eventLog from '../../lib/events/event-log.ts';
import { event } from '../../lib/events/event-schema.ts';
import { eventSearch, eventSearchResult } from '../../lib/events/event-search-schema.ts';
import { listFeatureEvents } from '../../lib/features/feature-event-store.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { count, integer, object, positiveIntegerText, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Events');

export const getEventCreators = endpoint({
  route: 'GET /api/admin/event-creators',
  summary: 'Lists the users who made the latest 20,000 changes, by name.',
  description:
    'Admin UIs offer them as filter of the event log. Their ids are those that `createdBy` of `/api/admin/search/events` takes.',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: v.array(object({ id: integer, name: text })) },
}).handle(({ request }) => eventLog.listEventCreators(request));

/** The number of events that `getEvents` lists, as in Unleash. */
const newest = 100;

export const getEvents = endpoint({
  route: 'GET /api/admin/events',
  summary: 'Lists the newest 100 events of the service, or of a project.',
  description:
    'The list may lag behind a change by a moment. `totalEvents` counts those of the newest 20,000 changes; earlier ones ' +
    'are found at `/api/admin/search/events`.',
  query: object({ project: v.exactOptional(text) }),
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ version: v.literal(1), events: v.array(event), totalEvents: count }) },
}).handle(async ({ request, query }) => {
  const { events, total } = await eventLog.loadNewestEvents(request, query.project, newest);
  return { version: 1, events, totalEvents: total };
});

export const getEventsForToggle = endpoint({
  route: 'GET /api/admin/events/{featureName}',
  summary: 'Lists the events of a feature, newest first.',
  description:
    '`limit` is the size of a page, and `before` the id of the last event of the page before. An unknown feature has no events. If several features had the name one after the other, they are those of the last one.',
  query: object({ limit: v.exactOptional(positiveIntegerText), before: v.exactOptional(positiveIntegerText) }),
  responses: {
    200: object({
      version: v.literal(1),
      // As it was asked for, whether a feature can bear such a name or not.
      toggleName: v.string(),
      events: v.array(event),
      totalEvents: count,
    }),
  },
  errors: [],
}).handle(
  ({ request, params, query }) => listFeatureEvents(request, params.featureName, query),
  ({ events, total }, { params: { featureName } }) => {
    const name = JSON.stringify(featureName);
    const text = `{"version":1,"toggleName":${name},"events":[${events.join(',')}],"totalEvents":${total}}`;
    return { json: { text } };
  },
);

export const searchEvents = endpoint({
  route: 'GET /api/admin/search/events',
  summary: 'Finds events by text, filters and time, newest first, page by page.',
  description:
    'All filters must hold: `type=IS_ANY_OF:feature-created,feature-archived`, `project=IS:default`, `createdBy=IS:1`, ' +
    '`from=IS:2026-01-01`, `to=IS:2026-01-31T08:00:00.000Z`. One request looks back on the newest 20,000 changes until `to`, with ' +
    '`query` on the newest 1,000 that pass the other filters, and `total` counts as far; what lies before is found with ' +
    'an earlier `to`. The list may lag behind a change by a moment; with `feature=IS:` and a name it does not. A page has fewer ' +
    'events than `limit` where more would exceed a reply: the next `offset` is behind those that it has.',
  query: eventSearch,
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ events: v.array(eventSearchResult), total: count }) },
}).handle(({ request, query }) => eventLog.searchEvents(request, query));
