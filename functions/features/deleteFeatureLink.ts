import { removeLink } from '../../lib/features/change-links.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  group: 'Features',
  summary: 'Removes a link from a feature.',
  permission: 'UPDATE_FEATURE',
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params }) => removeLink(request, caller, params));
