import { listTagsOfFeature } from '../../lib/features/change-tags.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { tagList } from '../../lib/tags/tag-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/features/{featureName}/tags',
  group: 'Features',
  summary: 'Lists the tags of a feature.',
  responses: { 200: tagList },
}).handle(async ({ request, params }) => ({ version: 1, tags: await listTagsOfFeature(request, params.featureName) }));
