import { endpoint } from '../../lib/http/endpoint.ts';
import { requireFreeSegmentName } from '../../lib/rights/administer-segments.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { segmentName } from '../../lib/schemas/segment.ts';

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
