import { changeFeature } from '../../lib/features/change-feature.ts';
import { changingVariantsIn, overwritten } from '../../lib/features/environments/change-variants.ts';
import { featureVariantsView, newFeatureVariants } from '../../lib/features/environments/variant-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  group: 'Features',
  summary: 'Replaces the variants of a feature in an environment, and distributes the weights.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: newFeatureVariants,
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, caller, params, body }) =>
    changeFeature(request, caller, changingVariantsIn(request, params, overwritten(body))),
  (variants) => ({ body: { version: 1, variants } }),
);
