import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/impact-metrics/metadata',
  group: 'Unavailable',
  summary: 'Returns the available impact metrics; none are kept.',
  rights: 'none',
  responses: { 200: object({ metrics: v.array(v.looseObject({})) }) },
}).handle(async () => ({ metrics: [] }));
