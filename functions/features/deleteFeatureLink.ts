import { removeLink } from '../../lib/features/change-own.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  method: 'DELETE',
  path: '/api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  group: 'Features',
  summary: 'Removes a link from a feature.',
  permission: 'UPDATE_FEATURE',
  responses: { 204: null },
  etag: true,
  errors: [404],
}).handle(
  ({ request, caller, params }) => removeLink(request, caller, params),
  () => ({}),
);
