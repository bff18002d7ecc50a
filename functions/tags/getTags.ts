import { endpoint } from '../../lib/http/endpoint.ts';
import { tagList } from '../../lib/tags/tag-schema.ts';
import { listTags } from '../../lib/tags/tags.ts';

export const handler = endpoint({
  route: 'GET /api/admin/tags',
  group: 'Tags',
  summary: 'Lists all tags.',
  responses: { 200: tagList },
}).handle(async ({ request }) => ({ version: 1, tags: await listTags(request) }));
