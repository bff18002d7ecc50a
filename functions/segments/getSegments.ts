import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { segment } from '../../lib/schemas/segment.ts';
import { segments } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/segments',
  group: 'Segments',
  summary: 'Lists all segments.',
  responses: { 200: object({ segments: v.array(segment) }) },
}).handle(async ({ table }) => ({ segments: await segments.list(table) }));
