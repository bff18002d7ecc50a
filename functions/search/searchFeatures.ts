import * as v from 'valibot';
import { foundFeature } from '../../lib/features/feature-list-schema.ts';
import { featureSearch } from '../../lib/features/search/feature-search-schema.ts';
import { searchFeatures } from '../../lib/features/search/search-features.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/search/features',
  group: 'Search',
  summary: 'Finds features by text, filters and order, page by page.',
  description:
    'All filters must hold. Most are an operator and values: `project=IS_ANY_OF:web,mobile`, `tag=INCLUDE:simple:beta`, ' +
    '`createdAt=IS_BEFORE:2026-01-31`. Archived features are found with `archived=IS:true`, `state=IS:archived` or `lifecycle=IS:archived`. ' +
    'A page has 50 features unless `limit` says otherwise; `total` counts those of all pages.',
  // Which are favorites is a question of who asks.
  permission: 'NONE',
  query: featureSearch,
  repeated: ['status'],
  throttle: { ratePerSecond: 50, burst: 100 },
  responses: { 200: object({ features: v.array(foundFeature), total: count }) },
}).handle(({ request, caller, query }) => searchFeatures(request, caller, query));
