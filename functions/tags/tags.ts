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
    'Admin UIs offer it from then on. It is enough to have the permission in some project. A tag that is known already is a 409, an unknown tag type a 400.',
  permission: 'UPDATE_FEATURE',
  permissionBy: 'body',
  body: newTag,
  responses: { 201: tagReply },
  errors: [409],
})
  // In any project will do, since a tag belongs to none.
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
  description: 'A 409 names the features that have it. Special characters of the value are escaped in the path.',
  permission: 'UPDATE_FEATURE',
  freeText: ['value'],
  responses: { 200: null },
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeTag(request, caller, params));

export const getTag = endpoint({
  route: 'GET /api/admin/tags/{type}/{value}',
  summary: 'Returns a tag.',
  description: 'Special characters of the value are escaped in the path. The color is that of the type.',
  freeText: ['value'],
  responses: { 200: tagReply },
}).handle(async ({ request, params }) => ({ version: 1, tag: await tags.loadTag(request, params) }));

export const getTags = endpoint({
  route: 'GET /api/admin/tags',
  summary: 'Lists all tags.',
  description: 'They are listed by type and value, each with the color of its type.',
  responses: { 200: tagList },
}).handle(async ({ request }) => ({ version: 1, tags: await tags.listTags(request) }));

export const getTagsByType = endpoint({
  route: 'GET /api/admin/tags/{type}',
  summary: 'Lists the tags of a type; none for an unknown type.',
  description: 'They are listed by value, with the color of the type.',
  responses: { 200: tagList },
  errors: [],
}).handle(async ({ request, params }) => ({ version: 1, tags: await tags.listTagsOfType(request, params.type) }));
