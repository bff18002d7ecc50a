import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeTags, changeTagsOfMany, listTagsOfFeature } from '../../lib/features/change-tags.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { tag, tagChange, tagInput, tagList, tagsOfFeatures } from '../../lib/tags/tag-schema.ts';

const endpoint = endpointsOf('Features');
const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const addTag = flagChange({
  route: 'POST /api/admin/features/{featureName}/tags',
  summary: 'Adds a tag to a feature.',
  description:
    'The tag is created if it does not exist. The reply is 400 for an unknown tag type. Adding a tag that the feature already has changes nothing.',
  permission: 'UPDATE_FEATURE',
  // The permission is checked in the project of the feature.
  permissionBy: 'store',
  body: tagInput,
  responses: { 201: tag },
  etag: true,
}).handle(
  ({ request, caller, params, body }) =>
    changeTags(request, caller, params.featureName, { added: [body], removed: [] }),
  (_, { params, body }) => ({
    body,
    headers: { location: `/api/admin/features/${encodeURIComponent(params.featureName)}/tags` },
  }),
);

export const addTagToFeatures = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/tags',
  summary: 'Adds tags to features and removes others.',
  description:
    'Every listed tag is added to, or removed from, every listed feature. The reply is 404 if a feature is archived or unknown, and 400 for an unknown tag type.',
  permission: 'UPDATE_FEATURE',
  body: tagsOfFeatures,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) => changeTagsOfMany(request, caller, params.projectId, body));

export const listTags = endpoint({
  route: 'GET /api/admin/features/{featureName}/tags',
  summary: 'Lists the tags of a feature.',
  description: 'Each tag has a type and a value. `GET /api/admin/tag-types` lists the types.',
  responses: { 200: tagList },
}).handle(async ({ request, params }) => ({ version: 1, tags: await listTagsOfFeature(request, params.featureName) }));

export const removeTag = flagChange({
  route: 'DELETE /api/admin/features/{featureName}/tags/{type}/{value}',
  summary: 'Removes a tag from a feature.',
  description: 'The tag itself is not deleted. Special characters of the value must be escaped in the path.',
  permission: 'UPDATE_FEATURE',
  // The permission is checked in the project of the feature.
  permissionBy: 'store',
  freeText: ['value'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params: { featureName, type, value } }) =>
    changeTags(request, caller, featureName, { added: [], removed: [{ type, value }] }),
  () => ({}),
);

const pathOfTagType = (index: number) => `addedTags.${index}.type`;

export const updateTags = flagChange({
  route: 'PUT /api/admin/features/{featureName}/tags',
  summary: 'Adds tags to a feature and removes others, in one change.',
  description:
    'Adding a tag that the feature has, or removing one that it does not have, changes nothing. The reply has all its tags.',
  permission: 'UPDATE_FEATURE',
  // The permission is checked in the project of the feature.
  permissionBy: 'store',
  body: tagChange,
  responses: { 200: tagList },
  etag: true,
}).handle(
  ({ request, caller, params, body: { addedTags, removedTags } }) =>
    changeTags(request, caller, params.featureName, { added: addedTags, removed: removedTags }, pathOfTagType),
  (tags) => ({ body: { version: 1, tags: [...tags] } }),
);
