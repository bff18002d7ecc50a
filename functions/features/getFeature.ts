import * as v from 'valibot';
import { feature } from '../../lib/features/feature-schema.ts';
import { getFeature } from '../../lib/features/get-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  group: 'Features',
  summary: 'Returns a feature with its environments.',
  description:
    'An archived feature is answered with 404. The environments always show their variants, with or without `variantEnvironments`.',
  // Whether it is a favorite is a question of who asks.
  permission: 'NONE',
  query: object({ variantEnvironments: v.exactOptional(v.string()) }),
  responses: { 200: feature, 304: null },
  etag: true,
}).handle(({ request, caller, params }) => getFeature(request, caller, params));
