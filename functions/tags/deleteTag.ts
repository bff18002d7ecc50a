import { removeTag } from '../../lib/features/uses/tag-uses.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/tags/{type}/{value}',
  group: 'Tags',
  summary: 'Deletes a tag that no feature has.',
  permission: 'UPDATE_FEATURE',
  freeText: ['value'],
  responses: { 200: null },
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeTag(request, caller, params));
