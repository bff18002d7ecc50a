import * as v from 'valibot';
import { event } from '../../lib/events/event-schema.ts';
import { listFeatureEvents } from '../../lib/features/feature-event-store.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object, positiveIntegerText } from '../../lib/values/primitives.ts';

const page = object({
  limit: v.exactOptional(positiveIntegerText),
  before: v.exactOptional(positiveIntegerText),
});

const featureEvents = object({
  version: v.literal(1),
  // As it was asked for, whether a feature can bear such a name or not.
  toggleName: v.string(),
  events: v.array(event),
  totalEvents: count,
});

export const handler = endpoint({
  route: 'GET /api/admin/events/{featureName}',
  group: 'Events',
  summary: 'Lists the events of a feature, newest first.',
  query: page,
  responses: { 200: featureEvents },
  errors: [],
}).handle(
  ({ request, params, query }) => listFeatureEvents(request, params.featureName, query),
  ({ events, total }, { params: { featureName } }) => {
    const name = JSON.stringify(featureName);
    const text = `{"version":1,"toggleName":${name},"events":[${events.join(',')}],"totalEvents":${total}}`;
    return { json: { text } };
  },
);
