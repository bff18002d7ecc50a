import { endpoint } from '../../lib/http/endpoint.ts';
import { requireFreeSegmentName } from '../../lib/segments/administer-segments.ts';
import { segmentName } from '../../lib/segments/segment-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/segments/validate',
  group: 'Segments',
  summary: 'Checks whether a segment can be created with a name.',
  permission: ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  // It is enough to have it in some project.
  authorizedBy: 'handler',
  rights: 'read',
  body: object({ name: segmentName }),
  responses: { 204: null },
  errors: [409],
}).handle(({ request, caller, body }) => requireFreeSegmentName(request, caller, body.name));
