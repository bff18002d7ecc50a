import { moveFeature } from '../../lib/features/move-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/changeProject',
  group: 'Features',
  summary: 'Moves a feature to another project, which has the same environments.',
  permission: 'MOVE_FEATURE_TOGGLE',
  body: object({ newProjectId: text }),
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 200: null },
  etag: true,
  errors: [409],
})
  .needs(({ body }) => [{ permission: 'MOVE_FEATURE_TOGGLE', project: body.newProjectId }])
  .handle(({ request, caller, params, body }) => moveFeature(request, caller, params, body.newProjectId));
