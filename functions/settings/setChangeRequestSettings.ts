import { endpoint } from '../../lib/http/endpoint.ts';
import { setChangeRequestSettings } from '../../lib/settings/change-request-settings.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/change-requests/settings',
  group: 'Change requests',
  summary: 'Says whether administrators and admin tokens need approval as everybody does.',
  description:
    'With `adminsSkip`, the default, they may change a protected environment directly, as on Unleash. Without it they may ' +
    'where one of their roles has SKIP_CHANGE_REQUEST, and admin tokens may not. All processes know within 5 seconds.',
  permission: 'ADMIN',
  body: object({ adminsSkip: boolean }),
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, body }) => setChangeRequestSettings(request, caller, body));
