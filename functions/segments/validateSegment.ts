import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { segmentName } from '../../lib/schemas/segment.ts';
import { segments } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/segments/validate',
  group: 'Segments',
  summary: 'Checks whether a segment can be created with a name.',
  permission: ['CREATE_SEGMENT', 'UPDATE_SEGMENT'],
  rights: 'read',
  body: object({ name: segmentName }),
  responses: { 204: null },
  errors: [409],
}).handle(({ table, body }) => segments.requireFreeName(table, body.name));
