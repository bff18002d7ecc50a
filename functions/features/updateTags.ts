import { changeTags } from '../../lib/features/change-tags.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { tagChange, tagList } from '../../lib/tags/tag-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/features/{featureName}/tags',
  group: 'Features',
  summary: 'Adds tags to a feature and removes others, all at once.',
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
