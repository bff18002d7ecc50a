import { endpointsOf } from '../../lib/http/endpoint.ts';
import * as lib from '../../lib/time-travel/get-flag-then.ts';
import { atQuery, featureThen } from '../../lib/time-travel/time-travel-schema.ts';

const endpoint = endpointsOf('Time travel');

export const getFeatureThen = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/then',
  summary: 'Returns a feature as SDKs got it at a moment.',
  description:
    '`at` is a time, or `before:123` or `after:123` with the id of an event of the feature: the state right before or after the change to which this event belongs. The state is rebuilt from the events: going back from the present, at most 20,000 changes. `exact` is false, and `doubts` say why, where events do not tell everything. The reply is 404 where they tell too little, for example before the feature was migrated from another server. The feature can be archived or deleted.',
  query: atQuery,
  responses: { 200: featureThen },
}).handle(({ request, params, query }) => lib.getFlagThen(request, params, query.at));
