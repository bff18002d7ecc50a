import * as v from 'valibot';
import * as eventLog from '../../lib/events/event-log.ts';
import { event } from '../../lib/events/event-schema.ts';
import { eventSearch, eventSearchResult } from '../../lib/events/event-search-schema.ts';
import { listFeatureEvents } from '../../lib/features/feature-event-store.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { loadPersonNames } from '../../lib/screens/person-names.ts';
import { count, integer, object, positiveIntegerText, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Events');

export const getEventCreators = endpoint({
  route: 'GET /api/admin/event-creators',
  summary: 'Lists the users who made the latest 20,000 changes, by name.',
  description:
    'Admin UIs use them to filter the event log: `createdBy` of `/api/admin/search/events` is an id of this list. Users who still exist have their present names.',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: v.array(object({ id: integer, name: text })) },
}).handle(async ({ request }) => {
  const creators = await eventLog.listEventCreators(request);
  const names = await loadPersonNames(
    request,
    creators.map(({ id }) => id),
  );
  return (
    creators
      // The service keeps the name that Unleash gives it.
      .map(({ id, name }) => ({ id, name: (id > 0 ? names.get(id) : undefined) ?? name }))
      .toSorted((a, b) => a.name.localeCompare(b.name))
  );
});

/** The number of events that `getEvents` lists, as in Unleash. */
const newest = 100;

export const getEvents = endpoint({
  route: 'GET /api/admin/events',
  summary: 'Lists the newest 100 events of the service, or of a project.',
  description:
    'A change may appear after a short delay. `totalEvents` counts the events of the newest 20,000 changes. Earlier events are available at `/api/admin/search/events`.',
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
    '`limit` is the page size; `before` is the id of the last event on the previous page. An unknown feature has no events. If several features had this name one after the other, the events are those of the last one.',
  query: object({ limit: v.exactOptional(positiveIntegerText), before: v.exactOptional(positiveIntegerText) }),
  responses: {
    200: object({
      version: v.literal(1),
      // The name in the path, even if no feature can have it.
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
    'An event must match all filters: `type=IS_ANY_OF:feature-created,feature-archived`, `type=IS_NONE_OF:client-register`, `project=IS:default`, `createdBy=IS:1`, `from=IS:2026-01-01`, `to=IS:2026-01-31T08:00:00.000Z`. A request searches the newest 20,000 changes until `to`, or with `query` the newest 1,000 that match the other filters; `total` counts the matches among these. Use an earlier `to` to search further back. A change may appear after a short delay, except with `feature=IS:` and a name. A page has fewer events than `limit` if the reply would become too large; the next `offset` follows the events that it has.',
  query: eventSearch,
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ events: v.array(eventSearchResult), total: count }) },
}).handle(({ request, query }) => eventLog.searchEvents(request, query));
