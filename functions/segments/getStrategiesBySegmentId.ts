import * as v from 'valibot';
import { placedStrategy } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { segmentPath } from '../../lib/segments/segment-schema.ts';
import { strategiesOfSegment } from '../../lib/segments/segments.ts';
import { object } from '../../lib/values/primitives.ts';

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
