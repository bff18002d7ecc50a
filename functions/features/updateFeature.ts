import { feature, featureUpdate } from '../../lib/features/feature-schema.ts';
import { updateFeature } from '../../lib/features/update-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  group: 'Features',
  summary:
    'Updates the given fields of a feature, archives or revives it. Other properties are ignored, `enabled` among them.',
  description:
    'Properties that are left out stay as they are. `{"enabled": true}` changes nothing, as any property that the operation ' +
    'does not know: a feature is enabled in one environment at a time.',
  permission: 'UPDATE_FEATURE',
  body: featureUpdate,
  responses: { 200: feature },
  etag: true,
}).handle(({ request, caller, params, body }) => updateFeature(request, caller, params, body));
