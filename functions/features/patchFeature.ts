import { feature } from '../../lib/features/feature-schema.ts';
import { patchFeature } from '../../lib/features/patch-feature.ts';
import { jsonPatch } from '../../lib/helpers/json-patch-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}',
  group: 'Features',
  summary: 'Applies a JSON Patch to the fields of a feature.',
  permission: 'UPDATE_FEATURE',
  body: jsonPatch,
  bodyType: 'application/json-patch+json',
  responses: { 200: feature },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params, body }) => patchFeature(request, caller, params, body));
