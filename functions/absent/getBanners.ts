import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/banners',
  group: 'Unavailable',
  summary: 'Returns the banners of the admin UI; there are none.',
  rights: 'none',
  responses: { 200: object({ banners: v.array(v.looseObject({})) }) },
}).handle(async () => ({ banners: [] }));
