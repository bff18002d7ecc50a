import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/licensed-users',
  group: 'Unavailable',
  summary: 'Returns the number of licensed seats: 0.',
  rights: 'none',
  responses: {
    200: object({ seatCount: count, licensedUsers: object({ current: count, history: v.array(v.looseObject({})) }) }),
  },
}).handle(async () => ({ seatCount: 0, licensedUsers: { current: 0, history: [] } }));
