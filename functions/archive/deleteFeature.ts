import { deleteFeature } from '../../lib/features/lifecycle/delete-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/archive/{featureName}',
  group: 'Archive',
  summary: 'Deletes an archived feature with everything that belongs to it, except its events.',
  description:
    'A deployed API takes `features` in the place of the name for the list of all archived features; a feature of that name ' +
    'is deleted by `POST /api/admin/projects/{projectId}/delete`.',
  permission: 'DELETE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => deleteFeature(request, caller, params.featureName));
