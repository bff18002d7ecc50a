import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { lifecycleTrends as trendsOf } from '../../lib/overviews/lifecycle-trends.ts';
import { lifecycleTrends } from '../../lib/schemas/insights.ts';
import { object, text } from '../../lib/schemas/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/insights/lifecycle',
  group: 'Features',
  summary: 'Returns in which part of their life the features are, by what they are for, and for how long.',
  description: '`projects` names projects, with commas between them; without it all of them count.',
  throttle: { ratePerSecond: 20, burst: 40 },
  query: v.object({ projects: v.optional(text, '') }),
  responses: { 200: object({ lifecycleTrends }) },
}).handle(async ({ request, query }) => ({
  lifecycleTrends: await trendsOf(request, query.projects.split(',').filter(Boolean)),
}));
