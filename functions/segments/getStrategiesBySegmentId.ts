import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { segmentPath } from '../../lib/schemas/segment.ts';
import { placedStrategy } from '../../lib/schemas/strategy.ts';
import { strategiesOfSegment } from '../../lib/segments/segments.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/segments/{id}/strategies',
  group: 'Segments',
  summary: 'Lists the strategies that use a segment.',
  params: segmentPath,
  responses: { 200: object({ strategies: v.array(placedStrategy), changeRequestStrategies: v.array(placedStrategy) }) },
  errors: [404],
}).handle(async ({ request, params }) => ({
  strategies: await strategiesOfSegment(request, params.id),
  // There are no change requests here.
  changeRequestStrategies: [],
}));
