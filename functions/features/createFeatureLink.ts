import { addLink } from '../../lib/features/change-links.ts';
import { linkInput } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/link',
  group: 'Features',
  summary: 'Adds a link to a feature, e.g. to its ticket.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addLink(request, caller, params, body));
