import * as v from 'valibot';
import { requestedStrategy } from '../../lib/change-requests/change-request-schema.ts';
import { requestedUsesOf } from '../../lib/change-requests/views/marks.ts';
import { placedStrategy } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { segmentPath } from '../../lib/segments/segment-schema.ts';
import { strategiesOfSegment } from '../../lib/segments/segments.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/segments/{id}/strategies',
  group: 'Segments',
  summary: 'Lists the strategies that use a segment.',
  permission: 'NONE',
  params: segmentPath,
  responses: {
    200: object({ strategies: v.array(placedStrategy), changeRequestStrategies: v.array(requestedStrategy) }),
  },
}).handle(async ({ request, caller, params }) => {
  const [strategies, changeRequestStrategies] = await Promise.all([
    strategiesOfSegment(request, params.id),
    requestedUsesOf(request, caller, params.id),
  ]);
  return { strategies, changeRequestStrategies };
});
