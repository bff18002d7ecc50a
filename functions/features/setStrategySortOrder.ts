import { changeFeature } from '../../lib/features/change-feature.ts';
import { orderingStrategies } from '../../lib/features/strategies/change-strategies.ts';
import { strategyOrder } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/set-sort-order',
  group: 'Features',
  summary: 'Reorders the strategies of a feature in an environment.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: strategyOrder,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) =>
  changeFeature(request, caller, orderingStrategies(request, params, body)),
);
