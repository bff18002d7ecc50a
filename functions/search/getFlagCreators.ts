import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listAllFlagCreators } from '../../lib/projects/overviews/flag-creators.ts';
import { count, integer, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/flag-creators',
  group: 'Search',
  summary: 'Lists the users who have created features of any project.',
  throttle: { ratePerSecond: 50, burst: 100 },
  responses: { 200: object({ flagCreators: v.array(object({ id: integer, name: text })), total: count }) },
}).handle(async ({ request }) => {
  const flagCreators = await listAllFlagCreators(request);
  return { flagCreators, total: flagCreators.length };
});
