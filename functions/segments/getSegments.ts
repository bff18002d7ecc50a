import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listedSegment } from '../../lib/segments/segment-schema.ts';
import { listSegments } from '../../lib/segments/segment-uses.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/segments',
  group: 'Segments',
  summary: 'Lists all segments, with the number of live features that use each.',
  responses: { 200: object({ segments: v.array(listedSegment) }) },
}).handle(async ({ request }) => ({ segments: await listSegments(request) }));
