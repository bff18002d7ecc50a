import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/license/check',
  group: 'Unavailable',
  summary: 'Returns the state of the license; none is needed.',
  rights: 'none',
  responses: { 200: object({ isValid: boolean }) },
}).handle(async () => ({ isValid: true }));
