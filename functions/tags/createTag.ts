import { endpoint } from '../../lib/http/endpoint.ts';
import { projectWith } from '../../lib/identity/caller.ts';
import { newTag, tagAnswer } from '../../lib/tags/tag-schema.ts';
import { createTag } from '../../lib/tags/tags.ts';

export const handler = endpoint({
  route: 'POST /api/admin/tags',
  group: 'Tags',
  summary: 'Creates a tag, which no feature has yet.',
  permission: 'UPDATE_FEATURE',
  permissionBy: 'body',
  body: newTag,
  responses: { 201: tagAnswer },
  errors: [409],
})
  // In any project will do, since a tag belongs to none.
  .needs(({ caller }) => [{ permission: 'UPDATE_FEATURE', project: projectWith(caller, 'UPDATE_FEATURE') }])
  .handle(
    ({ request, caller, body }) => createTag(request, caller, body),
    (tag) => ({
      body: { version: 1, tag },
      headers: { location: `/api/admin/tags/${tag.type}/${encodeURIComponent(tag.value)}` },
    }),
  );
