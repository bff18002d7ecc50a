import { listVariants } from '../../lib/features/environments/read-environment.ts';
import { featureVariantsView } from '../../lib/features/environments/variant-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  group: 'Features',
  summary: 'Lists the variants of a feature in an environment.',
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, params }) => listVariants(request, params),
  (variants) => ({ body: { version: 1, variants } }),
);
