import { deleteFeature } from '../../lib/features/delete-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  method: 'DELETE',
  path: '/api/admin/archive/{featureName}',
  group: 'Archive',
  summary: 'Deletes an archived feature with all that belongs to it, but for its events.',
  permission: 'DELETE_FEATURE',
  // The project in which it must hold is that of the feature.
  authorizedBy: 'handler',
  responses: { 200: null },
  errors: [404, 409],
}).handle(({ table, caller, params }) => deleteFeature(table, caller, params.featureName));
