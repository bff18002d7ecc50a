import * as v from 'valibot';
import { stageCounts } from '../../lib/features/feature-list-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { lifecycleTrends } from '../../lib/insights/insights-schema.ts';
import { loadLifecycleTrends as trendsOf } from '../../lib/insights/lifecycle-trends.ts';
import { countStages } from '../../lib/search/count-stages.ts';
import { object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Features');

export const getFeatureLifecycleStageCount = endpoint({
  route: 'GET /api/admin/lifecycle/count',
  summary: 'Counts the features of all projects in each life-cycle stage.',
  description: 'Features of projects that the caller may not see are not counted.',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: stageCounts },
}).handle(({ request }) => countStages(request));

export const getLifecycleInsights = endpoint({
  route: 'GET /api/admin/insights/lifecycle',
  summary:
    'Returns the number of features in each life-cycle stage by feature type, and the time that they spend there.',
  description: '`projects` is a comma-separated list of project ids. By default, all projects are included.',
  throttle: { ratePerSecond: 20, burst: 40 },
  query: v.object({ projects: v.optional(text, '') }),
  responses: { 200: object({ lifecycleTrends }) },
}).handle(async ({ request, query }) => ({
  lifecycleTrends: await trendsOf(request, query.projects.split(',').filter(Boolean)),
}));
