import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { lifecycleTrends } from '../../lib/insights/insights-schema.ts';
import { lifecycleTrends as trendsOf } from '../../lib/insights/lifecycle-trends.ts';
import { object, text } from '../../lib/values/primitives.ts';

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
