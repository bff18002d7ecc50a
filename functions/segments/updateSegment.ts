import { endpoint } from '../../lib/http/endpoint.ts';
import { updateSegment } from '../../lib/segments/administer-segments.ts';
import { segmentInput, segmentPath } from '../../lib/segments/segment-schema.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/segments/{id}',
  group: 'Segments',
  summary: 'Updates a segment: its name, description, project and constraints.',
  permission: ['UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // Of a segment of one project, that permission is enough in this project, and in the one that it is given to.
  permissionBy: 'store',
  params: segmentPath,
  body: segmentInput,
  responses: { 204: null },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, params, body }) => updateSegment(request, caller, params.id, body),
  () => ({}),
);
