import { changeVariantsEverywhere, overwritten } from '../../lib/features/environments/change-variants.ts';
import { featureVariantsView, newFeatureVariants } from '../../lib/features/environments/variant-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/variants',
  group: 'Features',
  summary: 'Replaces the variants of a feature in all environments of its project, and distributes the weights.',
  deprecated: true,
  permission: 'UPDATE_FEATURE_VARIANTS',
  body: newFeatureVariants,
  responses: { 200: featureVariantsView },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => changeVariantsEverywhere(request, caller, params, overwritten(body)),
  (variants) => ({ body: { version: 1, variants } }),
);
