import { endpoint } from '../../lib/http/endpoint.ts';
import { tagTypeInput } from '../../lib/tags/tag-schema.ts';
import { tagTypes } from '../../lib/tags/tags.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/tag-types/validate',
  group: 'Tags',
  summary: 'Checks whether a tag type can be created.',
  permission: 'NONE',
  rights: 'read',
  body: tagTypeInput,
  responses: { 200: object({ valid: boolean, tagType: tagTypeInput }) },
  errors: [409],
}).handle(async ({ request, body }) => {
  await tagTypes.requireFreeName(request, body.name);
  return { valid: true, tagType: body };
});
