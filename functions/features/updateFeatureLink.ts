import { updateLink } from '../../lib/features/change-links.ts';
import { linkInput } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  group: 'Features',
  summary: 'Updates a link of a feature; an omitted title stays as it is.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => updateLink(request, caller, params, body));
