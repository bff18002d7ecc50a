import { removeTagType } from '../../lib/features/uses/tag-uses.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/tag-types/{name}',
  group: 'Tags',
  summary: 'Deletes a tag type with its tags, if no feature has one of them.',
  permission: 'DELETE_TAG_TYPE',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeTagType(request, caller, params.name));
