import { changeTags } from '../../lib/features/change-tags.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/features/{featureName}/tags/{type}/{value}',
  group: 'Features',
  summary: 'Removes a tag from a feature that has it.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  freeText: ['value'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params: { featureName, type, value } }) =>
    changeTags(request, caller, featureName, { added: [], removed: [{ type, value }] }),
  () => ({}),
);
