import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/scim-settings',
  group: 'Unavailable',
  summary: 'Returns the SCIM settings; SCIM is not supported.',
  rights: 'none',
  responses: { 200: object({ enabled: boolean, hasToken: boolean }) },
}).handle(async () => ({ enabled: false, hasToken: false }));
