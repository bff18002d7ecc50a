import { changeFeature } from '../../lib/features/change-feature.ts';
import { changingVariantsIn, patchedBy } from '../../lib/features/environments/change-variants.ts';
import { featureVariantsView } from '../../lib/features/environments/variant-schema.ts';
import { jsonPatch } from '../../lib/helpers/json-patch-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  group: 'Features',
  summary: 'Applies a JSON Patch to the list of variants of a feature in an environment.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: featureVariantsView },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) =>
    changeFeature(request, caller, changingVariantsIn(request, params, patchedBy(body))),
  (variants) => ({ body: { version: 1, variants } }),
);
