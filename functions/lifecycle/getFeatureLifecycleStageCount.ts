import { stageCounts } from '../../lib/features/feature-list-schema.ts';
import { countStages } from '../../lib/features/search/count-stages.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/lifecycle/count',
  group: 'Features',
  summary: 'Counts the features of all projects in each stage of the life cycle.',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: stageCounts },
}).handle(({ request }) => countStages(request));
