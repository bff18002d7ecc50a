import { endpoint } from '../../lib/http/endpoint.ts';
import { removeSegment } from '../../lib/segments/administer-segments.ts';
import { segmentPath } from '../../lib/segments/segment-schema.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/segments/{id}',
  group: 'Segments',
  summary: 'Deletes a segment that no strategy uses.',
  permission: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // Of a segment of one project, the permission there is enough.
  permissionBy: 'store',
  params: segmentPath,
  responses: { 204: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeSegment(request, caller, params.id));
