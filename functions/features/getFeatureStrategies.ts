import * as v from 'valibot';
import { listStrategies } from '../../lib/features/environments/read-environment.ts';
import { strategy } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  group: 'Features',
  summary: 'Lists the strategies of a feature in an environment, in their order.',
  responses: { 200: v.array(strategy) },
  etag: true,
}).handle(({ request, params }) => listStrategies(request, params));
