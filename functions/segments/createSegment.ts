import { endpoint } from '../../lib/http/endpoint.ts';
import { createSegment } from '../../lib/segments/administer-segments.ts';
import { segment, segmentInput } from '../../lib/segments/segment-schema.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/segments',
  group: 'Segments',
  summary: 'Creates a segment.',
  permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // One for all projects, or of those of a project, which the body names.
  authorizedBy: 'handler',
  body: segmentInput,
  responses: { 201: segment },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, body }) => createSegment(request, caller, body),
  ({ id }) => ({ headers: { location: `/api/admin/segments/${id}` } }),
);
