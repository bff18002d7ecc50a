import * as v from 'valibot';
import { loadPlaced } from '../../lib/features/get-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/impact-metrics/config',
  group: 'Unavailable',
  summary: 'Returns the impact metrics of a feature; none are kept.',
  responses: { 200: object({ configs: v.array(v.looseObject({})) }) },
}).handle(async ({ request, params }) => {
  await loadPlaced(request, params);
  return { configs: [] };
});
