import { endpoint } from '../../lib/http/endpoint.ts';
import { tagType, tagTypeInput } from '../../lib/tags/tag-schema.ts';
import { createTagType } from '../../lib/tags/tags.ts';

export const handler = endpoint({
  route: 'POST /api/admin/tag-types',
  group: 'Tags',
  summary: 'Creates a tag type.',
  permission: 'CREATE_TAG_TYPE',
  body: tagTypeInput,
  responses: { 201: tagType },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => createTagType(request, caller, body),
  ({ name }) => ({ headers: { location: `/api/admin/tag-types/${name}` } }),
);
