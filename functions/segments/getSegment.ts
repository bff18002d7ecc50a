import { endpoint } from '../../lib/http/endpoint.ts';
import { segment, segmentPath } from '../../lib/segments/segment-schema.ts';
import { segments, segmentView } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  route: 'GET /api/admin/segments/{id}',
  group: 'Segments',
  summary: 'Returns a segment.',
  params: segmentPath,
  responses: { 200: segment },
  etag: true,
}).handle(
  ({ request, params }) => segments.load(request, params.id),
  (found) => ({ body: segmentView(found) }),
);
