import * as v from 'valibot';
import { projectFeature, projectFeaturesQuery } from '../../lib/features/feature-list-schema.ts';
import { listFeatures } from '../../lib/features/search/search-features.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features',
  group: 'Features',
  summary: 'Lists the features of a project that are not archived, by name.',
  description:
    'All of them at once, or those with one of the tags (`tag=simple:beta`, repeatable) or with a name that begins with `namePrefix`, ignoring case. The search returns pages, and takes more filters.',
  deprecated: true,
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  query: projectFeaturesQuery,
  repeated: ['tag'],
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: object({ version: v.literal(2), features: v.array(projectFeature) }) },
}).handle(async ({ request, caller, params, query }) => ({
  version: 2 as const,
  features: await listFeatures(request, caller, params.projectId, query),
}));
