import * as v from 'valibot';
import * as lib from '../../lib/change-requests/settings.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { isOrigin } from '../../lib/http/origins.ts';
import { version } from '../../lib/http/version.ts';
import { loadInstanceStatistics, statisticsCsv } from '../../lib/insights/instance-statistics.ts';
import { instanceStatistics } from '../../lib/insights/instance-statistics-schema.ts';
import { setOrigins } from '../../lib/settings/frontend-origins.ts';
import { readMaintenance, setMaintenance } from '../../lib/settings/maintenance.ts';
import { boolean, count, id, object, text } from '../../lib/values/primitives.ts';

export const getChangeRequestSettings = endpoint({
  route: 'GET /api/admin/change-requests/settings',
  group: 'Change requests',
  summary: 'Returns the settings of change requests in the whole service.',
  description:
    'They say whether Admins need approval, too, how late a schedule may be applied, and after how many days a request is cancelled.',
  permission: 'ADMIN',
  responses: { 200: object({ adminsSkip: boolean, lateMinutesMax: v.nullable(count), expiryDays: v.nullable(id) }) },
  etag: true,
}).handle(({ request }) => lib.readChangeRequestSettings(request));

export const getInstanceAdminStats = endpoint({
  route: 'GET /api/admin/instance-admin/statistics',
  group: 'Instance Admin',
  summary: 'Returns statistics of the instance.',
  description:
    'Changes, exports and imports are counted among the newest 20,000 changes. `previousDayMetricsBucketsCount` is left ' +
    'out: hours of usage are stored with each feature, so that counting those of a day would take a request for each of them.',
  // What is counted is what the caller sees.
  permission: 'NONE',
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: instanceStatistics },
}).handle(({ request }) => loadInstanceStatistics(request, version));

export const getInstanceAdminStatsCsv = endpoint({
  route: 'GET /api/admin/instance-admin/statistics/csv',
  group: 'Instance Admin',
  summary: 'Returns statistics of the instance, as CSV.',
  description:
    'The first line has the names of the numbers, the second one those of `GET /api/admin/instance-admin/statistics`.',
  // What is counted is what the caller sees.
  permission: 'NONE',
  throttle: { ratePerSecond: 5, burst: 10 },
  contentType: 'text/csv; charset=utf-8',
  responses: { 200: v.string() },
}).handle(async ({ request }) => statisticsCsv(await loadInstanceStatistics(request, version)));

export const getMaintenance = endpoint({
  route: 'GET /api/admin/maintenance',
  group: 'Maintenance',
  summary: 'Returns the state of maintenance mode.',
  description: 'While it is on, changes are a 503, and SDKs go on getting their flags.',
  permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
  responses: { 200: object({ enabled: boolean }) },
  etag: true,
}).handle(
  ({ request }) => readMaintenance(request),
  ({ enabled }) => ({ body: { enabled } }),
);

export const setChangeRequestSettings = endpoint({
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
}).handle(({ request, caller, body }) => lib.setChangeRequestSettings(request, caller, body));

const origin = v.pipe(
  text,
  v.check(isOrigin, 'An origin such as https://shop.example.com or https://*.example.com is required, or *.'),
);

export const setCors = endpoint({
  route: 'POST /api/admin/ui-config/cors',
  group: 'Admin UI',
  summary: 'Sets the origins whose scripts may use the frontend API.',
  description:
    'They replace those of `FRONTEND_API_ORIGINS`. `https://*.example.com` matches every subdomain, but not the domain itself; an empty list allows no origin. The change takes effect within 5 seconds.',
  permission: ['ADMIN', 'UPDATE_CORS'],
  body: object({ frontendApiOrigins: v.pipe(v.array(origin), v.maxLength(1_000)) }),
  responses: { 204: null },
}).handle(({ request, caller, body }) => setOrigins(request, caller, body.frontendApiOrigins));

export const toggleMaintenance = endpoint({
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
