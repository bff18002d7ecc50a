import { endpoint } from '../../lib/http/endpoint.ts';
import { segmentPath } from '../../lib/schemas/segment.ts';
import { segments } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  method: 'DELETE',
  path: '/api/admin/segments/{id}',
  group: 'Segments',
  summary: 'Deletes a segment that no strategy uses.',
  permission: 'DELETE_SEGMENT',
  params: segmentPath,
  responses: { 204: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ table, caller, params }) => segments.remove(table, caller, params.id));
