import * as v from 'valibot';
import { foundFeature } from '../../lib/features/feature-list-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listAllFlagCreators } from '../../lib/insights/projects/flag-creators.ts';
import { featureSearch } from '../../lib/search/feature-search-schema.ts';
import * as lib from '../../lib/search/search-features.ts';
import { count, integer, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Search');

export const getFlagCreators = endpoint({
  route: 'GET /api/admin/flag-creators',
  summary: 'Lists the users who created features of any project.',
  description:
    'Admin UIs use them to filter the search: `createdBy` of `/api/admin/search/features` is an id of this list.',
  throttle: { ratePerSecond: 50, burst: 100 },
  responses: { 200: object({ flagCreators: v.array(object({ id: integer, name: text })), total: count }) },
}).handle(async ({ request }) => {
  const flagCreators = await listAllFlagCreators(request);
  return { flagCreators, total: flagCreators.length };
});

export const searchFeatures = endpoint({
  route: 'GET /api/admin/search/features',
  summary: 'Finds features by text, filters and order, page by page.',
  description:
    'A feature must match all filters. Most consist of an operator and values: `project=IS_ANY_OF:web,mobile`, `tag=INCLUDE:simple:beta`, `createdAt=IS_BEFORE:2026-01-31`. Archived features are found with `archived=IS:true`, `state=IS:archived` or `lifecycle=IS:archived`. A page has 50 features unless `limit` says otherwise; `total` counts the features of all pages.',
  // Favorites depend on the caller.
  permission: 'NONE',
  query: featureSearch,
  repeated: ['status'],
  throttle: { ratePerSecond: 50, burst: 100 },
  responses: { 200: object({ features: v.array(foundFeature), total: count }) },
}).handle(({ request, caller, query }) => lib.searchFeatures(request, caller, query));
