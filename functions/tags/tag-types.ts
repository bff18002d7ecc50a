import * as v from 'valibot';
import { removeTagType } from '../../lib/features/uses/tag-uses.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { tagType, tagTypeInput, tagTypeUpdate } from '../../lib/tags/tag-schema.ts';
import * as tags from '../../lib/tags/tags.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Tags');

export const createTagType = endpoint({
  route: 'POST /api/admin/tag-types',
  summary: 'Creates a tag type.',
  description: 'Features can then get tags of the type, such as `team:shop`. The reply is 409 if the name is in use.',
  permission: 'CREATE_TAG_TYPE',
  body: tagTypeInput,
  responses: { 201: tagType },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => tags.createTagType(request, caller, body),
  ({ name }) => ({ headers: { location: `/api/admin/tag-types/${name}` } }),
);

export const deleteTagType = endpoint({
  route: 'DELETE /api/admin/tag-types/{name}',
  summary: 'Deletes a tag type and its tags, unless a live feature has one of them.',
  description: 'If a live feature has one, the reply is 409 and names the features.',
  permission: 'DELETE_TAG_TYPE',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeTagType(request, caller, params.name));

export const getTagType = endpoint({
  route: 'GET /api/admin/tag-types/{name}',
  summary: 'Returns a tag type.',
  description:
    'It includes the description, the icon and the color of its tags. `GET /api/admin/tags/{type}` lists the tags.',
  // Unleash documents the tag type itself as the reply, but wraps it with a version, which its UI expects.
  responses: { 200: object({ ...tagType.entries, version: v.literal(1), tagType }) },
  etag: true,
}).handle(
  ({ request, params }) => tags.tagTypes.load(request, params.name),
  (type) => ({ body: { ...type, version: 1, tagType: type } }),
);

export const getTagTypes = endpoint({
  route: 'GET /api/admin/tag-types',
  summary: 'Lists all tag types.',
  description: 'A new service has the type `simple`. A feature can have several tags of a type.',
  responses: { 200: object({ version: v.literal(1), tagTypes: v.array(tagType) }) },
}).handle(async ({ request }) => ({ version: 1, tagTypes: await tags.tagTypes.list(request) }));

export const updateTagType = endpoint({
  route: 'PUT /api/admin/tag-types/{name}',
  summary: 'Updates the description, icon and color of a tag type. Omitted fields keep their values.',
  description: 'The name cannot be changed. Tags of the type have the new color at once.',
  permission: 'UPDATE_TAG_TYPE',
  body: tagTypeUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => tags.updateTagType(request, caller, params.name, body),
  () => ({}),
);

export const validateTagType = endpoint({
  route: 'POST /api/admin/tag-types/validate',
  summary: 'Checks whether a tag type can be created.',
  description:
    'The reply is 409 if the name is in use, and 400, with all problems, if the body is invalid. Nothing is created.',
  permission: 'NONE',
  rights: 'read',
  body: tagTypeInput,
  responses: { 200: object({ valid: boolean, tagType: tagTypeInput }) },
  errors: [409],
}).handle(async ({ request, body }) => {
  await tags.tagTypes.requireFreeName(request, body.name);
  return { valid: true, tagType: body };
});
