import { listVariantsOfFeature } from '../../lib/features/environments/read-environment.ts';
import { featureVariantsView } from '../../lib/features/environments/variant-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/variants',
  group: 'Features',
  summary: 'Lists the variants of a feature in the first environment of its project.',
  deprecated: true,
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, params }) => listVariantsOfFeature(request, params),
  (variants) => ({ body: { version: 1, variants } }),
);
