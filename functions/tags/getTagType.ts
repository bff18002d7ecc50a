import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { tagType } from '../../lib/tags/tag-schema.ts';
import { tagTypes } from '../../lib/tags/tags.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/tag-types/{name}',
  group: 'Tags',
  summary: 'Returns a tag type.',
  // Unleash documents the tag type itself, but answers it beside a version, as its UI reads it.
  responses: { 200: object({ ...tagType.entries, version: v.literal(1), tagType }) },
  etag: true,
}).handle(
  ({ request, params }) => tagTypes.load(request, params.name),
  (type) => ({ body: { ...type, version: 1, tagType: type } }),
);
