import { endpoint } from '../../lib/http/endpoint.ts';
import { setMaintenance } from '../../lib/settings/maintenance.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/maintenance',
  group: 'Maintenance',
  summary: 'Turns maintenance mode on or off.',
  description:
    'In maintenance every change is answered 503; reads and SDKs go on. All processes know within 5 seconds; a change that ' +
    'is under way is completed.',
  permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
  duringMaintenance: true,
  body: object({ enabled: boolean }),
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, body }) => setMaintenance(request, caller, body.enabled));
