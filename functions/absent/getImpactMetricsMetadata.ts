import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/impact-metrics/metadata',
  group: 'Unavailable',
  summary: 'Returns which impact metrics there are; none are kept.',
  rights: 'none',
  responses: { 200: object({ metrics: v.array(v.looseObject({})) }) },
}).handle(async () => ({ metrics: [] }));
