import { changeVariantsEverywhere, patchedBy } from '../../lib/features/environments/change-variants.ts';
import { featureVariantsView } from '../../lib/features/environments/variant-schema.ts';
import { jsonPatch } from '../../lib/helpers/json-patch-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/variants',
  group: 'Features',
  summary: 'Applies a JSON Patch to the list of variants of a feature, in each environment of its project.',
  description:
    'The reply shows the variants of the first environment. If the patch fails in one environment, nothing changes in any.',
  deprecated: true,
  permission: 'UPDATE_FEATURE_VARIANTS',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: featureVariantsView },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => changeVariantsEverywhere(request, caller, params, patchedBy(body)),
  (variants) => ({ body: { version: 1, variants } }),
);
