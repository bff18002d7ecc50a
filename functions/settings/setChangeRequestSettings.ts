import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { setChangeRequestSettings } from '../../lib/settings/change-request-settings.ts';
import { boolean, count, id, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/change-requests/settings',
  group: 'Change requests',
  summary: 'Changes the settings of change requests in the whole service.',
  description:
    'With `adminsSkip`, the default, they may change a protected environment directly, as on Unleash. Without it they may ' +
    'where one of their roles has SKIP_CHANGE_REQUEST, and admin tokens may not. All processes know within 5 seconds. ' +
    'A schedule that could not be applied at its time, because the service stood still, is applied later; with ' +
    '`lateMinutesMax` it fails where it is more than so many minutes late. With `expiryDays`, a request is cancelled that is ' +
    'neither applied nor scheduled so many days after it was sent to review.',
  permission: 'ADMIN',
  body: object({
    adminsSkip: boolean,
    lateMinutesMax: v.exactOptional(v.nullable(count)),
    expiryDays: v.exactOptional(v.nullable(v.pipe(id, v.maxValue(366)))),
  }),
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, body }) => setChangeRequestSettings(request, caller, body));
