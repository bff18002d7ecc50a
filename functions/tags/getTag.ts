import { endpoint } from '../../lib/http/endpoint.ts';
import { tagAnswer } from '../../lib/tags/tag-schema.ts';
import { loadTag } from '../../lib/tags/tags.ts';

export const handler = endpoint({
  route: 'GET /api/admin/tags/{type}/{value}',
  group: 'Tags',
  summary: 'Returns a tag.',
  freeText: ['value'],
  responses: { 200: tagAnswer },
}).handle(async ({ request, params }) => ({ version: 1, tag: await loadTag(request, params) }));
