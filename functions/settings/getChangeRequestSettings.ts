import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { readChangeRequestSettings } from '../../lib/settings/change-request-settings.ts';
import { boolean, count, id, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/change-requests/settings',
  group: 'Change requests',
  summary: 'Returns the settings of change requests in the whole service.',
  permission: 'ADMIN',
  responses: { 200: object({ adminsSkip: boolean, lateMinutesMax: v.nullable(count), expiryDays: v.nullable(id) }) },
  etag: true,
}).handle(({ request }) => readChangeRequestSettings(request));
