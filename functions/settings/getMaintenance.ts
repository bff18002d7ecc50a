import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, object } from '../../lib/schemas/primitives.ts';
import { loadMaintenance } from '../../lib/settings/maintenance.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/maintenance',
  group: 'Maintenance',
  summary: 'Returns whether changes are refused for maintenance.',
  permission: 'ADMIN',
  responses: { 200: object({ enabled: boolean }) },
}).handle(async ({ table }) => ({ enabled: (await loadMaintenance(table)).enabled }));
