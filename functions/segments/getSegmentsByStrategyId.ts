import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { segment } from '../../lib/segments/segment-schema.ts';
import { segmentsOfStrategy } from '../../lib/segments/segment-uses.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/segments/strategies/{strategyId}',
  group: 'Segments',
  summary: 'Lists the segments that a strategy of a live feature uses; none for an unknown strategy.',
  responses: { 200: object({ segments: v.array(segment) }) },
  errors: [],
}).handle(async ({ request, params }) => ({ segments: await segmentsOfStrategy(request, params.strategyId) }));
