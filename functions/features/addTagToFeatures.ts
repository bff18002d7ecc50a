import { changeTagsOfMany } from '../../lib/features/change-tags.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { tagsOfMany } from '../../lib/tags/tag-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/tags',
  group: 'Features',
  summary: 'Adds tags to features and removes others.',
  permission: 'UPDATE_FEATURE',
  body: tagsOfMany,
  // One call may write several items for each of hundreds of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: null },
}).handle(({ request, caller, params, body }) => changeTagsOfMany(request, caller, params.projectId, body));
