import { featureEnvironment } from '../../lib/features/feature-schema.ts';
import { getFeatureEnvironment } from '../../lib/features/get-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}',
  group: 'Features',
  summary: 'Returns the configuration of a feature in an environment: its state, strategies and variants.',
  responses: { 200: featureEnvironment },
  etag: true,
}).handle(({ request, params }) => getFeatureEnvironment(request, params));
