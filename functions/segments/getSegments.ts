import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { listedSegment } from '../../lib/schemas/segment.ts';
import { listSegments } from '../../lib/uses/segment-uses.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/segments',
  group: 'Segments',
  summary: 'Lists all segments, with how many live features use them.',
  responses: { 200: object({ segments: v.array(listedSegment) }) },
}).handle(async ({ request }) => ({ segments: await listSegments(request) }));
