import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'GET /api/admin/release-plan-templates',
  group: 'Unavailable',
  summary: 'Returns the templates of release plans; there are none.',
  rights: 'none',
  responses: { 200: v.array(v.looseObject({})) },
}).handle(async () => []);
