import { getStrategy } from '../../lib/features/environments/read-environment.ts';
import { strategy } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route:
    'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  group: 'Features',
  summary: 'Returns a strategy of a feature in an environment.',
  responses: { 200: strategy },
  etag: true,
}).handle(({ request, params }) => getStrategy(request, params));
