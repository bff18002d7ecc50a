import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { tagType } from '../../lib/schemas/tag.ts';
import { tagTypes } from '../../lib/tags/tag-types.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/tag-types',
  group: 'Tags',
  summary: 'Lists all tag types.',
  responses: { 200: object({ version: v.literal(1), tagTypes: v.array(tagType) }) },
}).handle(async ({ request }) => ({ version: 1, tagTypes: await tagTypes.list(request) }));
