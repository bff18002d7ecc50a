import { removeTag } from '../../lib/features/uses/tag-uses.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { findProjectWith } from '../../lib/identity/caller.ts';
import { newTag, tagList, tagReply } from '../../lib/tags/tag-schema.ts';
import * as tags from '../../lib/tags/tags.ts';

const endpoint = endpointsOf('Tags');

export const createTag = endpoint({
  route: 'POST /api/admin/tags',
  summary: 'Creates a tag, which no feature has yet.',
  description:
    'Admin UIs then suggest it. The permission is needed in at least one project. The reply is 409 if the tag exists, and 400 for an unknown tag type.',
  permission: 'UPDATE_FEATURE',
  permissionBy: 'body',
  body: newTag,
  responses: { 201: tagReply },
  errors: [409],
})
  // The permission in any project is enough, since a tag belongs to no project.
  .needs(({ caller }) => [{ permission: 'UPDATE_FEATURE', project: findProjectWith(caller, 'UPDATE_FEATURE') }])
  .handle(
    ({ request, caller, body }) => tags.createTag(request, caller, body),
    (tag) => ({
      body: { version: 1, tag },
      headers: { location: `/api/admin/tags/${tag.type}/${encodeURIComponent(tag.value)}` },
    }),
  );

export const deleteTag = endpoint({
  route: 'DELETE /api/admin/tags/{type}/{value}',
  summary: 'Deletes a tag that no live feature has.',
  description:
    'If a live feature has it, the reply is 409 and names the features. Special characters of the value must be escaped in the path.',
  permission: 'UPDATE_FEATURE',
  freeText: ['value'],
  responses: { 200: null },
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeTag(request, caller, params));

export const getTag = endpoint({
  route: 'GET /api/admin/tags/{type}/{value}',
  summary: 'Returns a tag.',
  description: 'Special characters of the value must be escaped in the path. The color is that of the tag type.',
  freeText: ['value'],
  responses: { 200: tagReply },
}).handle(async ({ request, params }) => ({ version: 1, tag: await tags.loadTag(request, params) }));

export const getTags = endpoint({
  route: 'GET /api/admin/tags',
  summary: 'Lists all tags.',
  description: 'They are sorted by type and value. Each has the color of its type.',
  responses: { 200: tagList },
}).handle(async ({ request }) => ({ version: 1, tags: await tags.listTags(request) }));

export const getTagsByType = endpoint({
  route: 'GET /api/admin/tags/{type}',
  summary: 'Lists the tags of a type. The list is empty for an unknown type.',
  description: 'They are sorted by value, and have the color of the type.',
  responses: { 200: tagList },
  errors: [],
}).handle(async ({ request, params }) => ({ version: 1, tags: await tags.listTagsOfType(request, params.type) }));
