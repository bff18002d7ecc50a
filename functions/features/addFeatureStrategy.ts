import { changeFeature } from '../../lib/features/change-feature.ts';
import { addingStrategy } from '../../lib/features/strategies/change-strategies.ts';
import { strategy, strategyInput } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  group: 'Features',
  summary: 'Adds a strategy to a feature in an environment.',
  permission: 'CREATE_FEATURE_STRATEGY',
  body: strategyInput,
  responses: { 200: strategy },
  etag: true,
}).handle(({ request, caller, params, body }) => changeFeature(request, caller, addingStrategy(request, params, body)));
