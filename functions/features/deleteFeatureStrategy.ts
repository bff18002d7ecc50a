import { changeFeature } from '../../lib/features/change-feature.ts';
import { removingStrategy } from '../../lib/features/strategies/change-strategies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route:
    'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  group: 'Features',
  summary: 'Deletes a strategy of a feature in an environment; without an enabled strategy, the feature is off there.',
  permission: 'DELETE_FEATURE_STRATEGY',
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params }) => changeFeature(request, caller, removingStrategy(request, params)));
