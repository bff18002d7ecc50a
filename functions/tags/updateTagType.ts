import { endpoint } from '../../lib/http/endpoint.ts';
import { tagTypeUpdate } from '../../lib/tags/tag-schema.ts';
import { updateTagType } from '../../lib/tags/tags.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/tag-types/{name}',
  group: 'Tags',
  summary: 'Updates a tag type: its description, icon and color. Omitted fields stay as they are.',
  permission: 'UPDATE_TAG_TYPE',
  body: tagTypeUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateTagType(request, caller, params.name, body),
  () => ({}),
);
