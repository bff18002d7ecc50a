import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { tagType } from '../../lib/tags/tag-schema.ts';
import { tagTypes } from '../../lib/tags/tags.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/tag-types',
  group: 'Tags',
  summary: 'Lists all tag types.',
  responses: { 200: object({ version: v.literal(1), tagTypes: v.array(tagType) }) },
}).handle(async ({ request }) => ({ version: 1, tagTypes: await tagTypes.list(request) }));
