import { endpoint } from '../../lib/http/endpoint.ts';
import { readMaintenance } from '../../lib/settings/maintenance.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/maintenance',
  group: 'Maintenance',
  summary: 'Returns the state of maintenance mode.',
  permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
  responses: { 200: object({ enabled: boolean }) },
  etag: true,
}).handle(
  ({ request }) => readMaintenance(request),
  ({ enabled }) => ({ body: { enabled } }),
);
