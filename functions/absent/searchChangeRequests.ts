import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/search/change-requests',
  group: 'Unavailable',
  summary: 'Searches for change requests; there are none.',
  rights: 'none',
  responses: { 200: object({ changeRequests: v.array(v.looseObject({})), total: count }) },
}).handle(async () => ({ changeRequests: [], total: 0 }));
