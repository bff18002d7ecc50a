import { endpoint } from '../../lib/http/endpoint.ts';
import { tagList } from '../../lib/tags/tag-schema.ts';
import { listTagsOfType } from '../../lib/tags/tags.ts';

export const handler = endpoint({
  route: 'GET /api/admin/tags/{type}',
  group: 'Tags',
  summary: 'Lists the tags of a type; none for an unknown type.',
  responses: { 200: tagList },
  errors: [],
}).handle(async ({ request, params }) => ({ version: 1, tags: await listTagsOfType(request, params.type) }));
