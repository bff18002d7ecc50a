import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/user-access-requests',
  group: 'Unavailable',
  summary: 'Returns access requests of people without an account; there are none.',
  rights: 'none',
  responses: { 200: object({ userAccessRequests: v.array(v.looseObject({})) }) },
}).handle(async () => ({ userAccessRequests: [] }));
