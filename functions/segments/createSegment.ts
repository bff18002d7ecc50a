import { endpoint } from '../../lib/http/endpoint.ts';
import { segment, segmentInput } from '../../lib/schemas/segment.ts';
import { createSegment } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/segments',
  group: 'Segments',
  summary: 'Creates a segment.',
  permission: 'CREATE_SEGMENT',
  body: segmentInput,
  responses: { 201: segment },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ table, caller, body }) => createSegment(table, caller, body),
  ({ id }) => ({ headers: { location: `/api/admin/segments/${id}` } }),
);
