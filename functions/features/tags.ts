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
    'The tag need not exist before; an unknown tag type is a 400. Adding one that the feature has changes nothing.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
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
    'Features and tags that are listed are all changed. An archived or unknown feature is a 404, an unknown tag type a 400.',
  permission: 'UPDATE_FEATURE',
  body: tagsOfFeatures,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) => changeTagsOfMany(request, caller, params.projectId, body));

export const listTags = endpoint({
  route: 'GET /api/admin/features/{featureName}/tags',
  summary: 'Lists the tags of a feature.',
  description: 'Each tag has a type and a value. `/api/admin/tag-types` lists the types.',
  responses: { 200: tagList },
}).handle(async ({ request, params }) => ({ version: 1, tags: await listTagsOfFeature(request, params.featureName) }));

export const removeTag = flagChange({
  route: 'DELETE /api/admin/features/{featureName}/tags/{type}/{value}',
  summary: 'Removes a tag from a feature that has it.',
  description: 'The tag itself stays known. Special characters of the value are escaped in the path.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  freeText: ['value'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params: { featureName, type, value } }) =>
    changeTags(request, caller, featureName, { added: [], removed: [{ type, value }] }),
  () => ({}),
);

export const updateTags = flagChange({
  route: 'PUT /api/admin/features/{featureName}/tags',
  summary: 'Adds tags to a feature and removes others, all at once.',
  description:
    'Adding a tag that the feature has and removing one that it lacks change nothing. The reply has all its tags.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
  permissionBy: 'store',
  body: tagChange,
  responses: { 200: tagList },
  etag: true,
}).handle(
  ({ request, caller, params, body: { addedTags, removedTags } }) =>
    changeTags(
      request,
      caller,
      params.featureName,
      { added: addedTags, removed: removedTags },
      (index) => `addedTags.${index}.type`,
    ),
  (tags) => ({ body: { version: 1, tags: [...tags] } }),
);
