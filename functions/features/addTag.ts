import { changeTags } from '../../lib/features/change-tags.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { tag, tagInput } from '../../lib/tags/tag-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/features/{featureName}/tags',
  group: 'Features',
  summary: 'Adds a tag to a feature.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  body: tagInput,
  responses: { 201: tag },
  etag: true,
}).handle(
  ({ request, caller, params, body }) =>
    changeTags(request, caller, params.featureName, { added: [body], removed: [] }),
  (_, { params, body }) => ({
    body,
    headers: { location: `/api/admin/features/${encodeURIComponent(params.featureName)}/tags` },
  }),
);
