import { endpoint } from '../../lib/http/endpoint.ts';
import { segmentInput, segmentPath } from '../../lib/schemas/segment.ts';
import { updateSegment } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/segments/{id}',
  group: 'Segments',
  summary: 'Updates a segment: its name, description, project and constraints.',
  permission: 'UPDATE_SEGMENT',
  params: segmentPath,
  body: segmentInput,
  responses: { 204: null },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ table, caller, params, body }) => updateSegment(table, caller, params.id, body),
  () => ({}),
);
