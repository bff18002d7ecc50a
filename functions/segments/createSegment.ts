import { endpoint } from '../../lib/http/endpoint.ts';
import { createSegment } from '../../lib/segments/administer-segments.ts';
import { segment, segmentInput } from '../../lib/segments/segment-schema.ts';
import { segmentContent } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  route: 'POST /api/admin/segments',
  group: 'Segments',
  summary: 'Creates a segment.',
  permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  permissionBy: 'body',
  body: segmentInput,
  responses: { 201: segment },
  etag: true,
  errors: [404, 409],
})
  // That for all projects, or that for the segments of the project which it is for.
  .needs(({ body }) => [
    { permission: ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'], project: segmentContent(body).project ?? undefined },
  ])
  .handle(
    ({ request, caller, body }) => createSegment(request, caller, body),
    ({ id }) => ({ headers: { location: `/api/admin/segments/${id}` } }),
  );
