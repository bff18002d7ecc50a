import * as v from 'valibot';
import * as lib from '../../lib/change-requests/settings.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { isOrigin } from '../../lib/http/origins.ts';
import { version } from '../../lib/http/version.ts';
import { formatStatisticsCsv, loadInstanceStatistics } from '../../lib/insights/instance-statistics.ts';
import { instanceStatistics } from '../../lib/insights/instance-statistics-schema.ts';
import { setOrigins } from '../../lib/settings/frontend-origins.ts';
import { readMaintenance, setMaintenance } from '../../lib/settings/maintenance.ts';
import { boolean, count, id, object, text } from '../../lib/values/primitives.ts';

export const getChangeRequestSettings = endpoint({
  route: 'GET /api/admin/change-requests/settings',
  group: 'Change requests',
  summary: 'Returns the settings for change requests of the whole service.',
  description:
    'They say whether Admins need approval, how late a schedule may be applied, and after how many days a request is cancelled.',
  permission: 'ADMIN',
  responses: { 200: object({ adminsSkip: boolean, lateMinutesMax: v.nullable(count), expiryDays: v.nullable(id) }) },
  etag: true,
}).handle(({ request }) => lib.readChangeRequestSettings(request));

export const getInstanceAdminStats = endpoint({
  route: 'GET /api/admin/instance-admin/statistics',
  group: 'Instance Admin',
  summary: 'Returns statistics of the instance.',
  description:
    'Changes, exports and imports are counted among the newest 20,000 changes. `previousDayMetricsBucketsCount` is omitted, since counting it would need a request per feature.',
  // Only things that the caller may see are counted.
  permission: 'NONE',
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: instanceStatistics },
}).handle(({ request }) => loadInstanceStatistics(request, version));

export const getInstanceAdminStatsCsv = endpoint({
  route: 'GET /api/admin/instance-admin/statistics/csv',
  group: 'Instance Admin',
  summary: 'Returns statistics of the instance, as CSV.',
  description:
    'The first line has the names and the second line the values of `GET /api/admin/instance-admin/statistics`.',
  // Only things that the caller may see are counted.
  permission: 'NONE',
  throttle: { ratePerSecond: 5, burst: 10 },
  contentType: 'text/csv; charset=utf-8',
  responses: { 200: v.string() },
}).handle(async ({ request }) => formatStatisticsCsv(await loadInstanceStatistics(request, version)));

export const getMaintenance = endpoint({
  route: 'GET /api/admin/maintenance',
  group: 'Maintenance',
  summary: 'Returns whether maintenance mode is on.',
  description: 'While it is on, changes get a 503. SDKs still get their flags.',
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
  summary: 'Changes the settings for change requests of the whole service.',
  description:
    'With `adminsSkip`, the default, Admins can change a protected environment directly, as on Unleash. Without it, Admins need a role with SKIP_CHANGE_REQUEST, and admin tokens cannot. All processes use the new settings within 5 seconds. A schedule that was missed because the service was down is applied later, or with `lateMinutesMax` fails if it is more minutes late than that. With `expiryDays`, a request is cancelled this many days after it was sent to review, unless it is applied or scheduled.',
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
    'They replace those of `FRONTEND_API_ORIGINS`. `https://*.example.com` matches every subdomain, but not the domain itself. An empty list allows no origin. The change takes effect within 5 seconds.',
  permission: ['ADMIN', 'UPDATE_CORS'],
  body: object({ frontendApiOrigins: v.pipe(v.array(origin), v.maxLength(1_000)) }),
  responses: { 204: null },
}).handle(({ request, caller, body }) => setOrigins(request, caller, body.frontendApiOrigins));

export const toggleMaintenance = endpoint({
  route: 'POST /api/admin/maintenance',
  group: 'Maintenance',
  summary: 'Turns maintenance mode on or off.',
  description:
    'While it is on, every change gets a 503; reads and SDKs are not affected. All processes use the setting within 5 seconds. Changes that are in progress are completed.',
  permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
  duringMaintenance: true,
  body: object({ enabled: boolean }),
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, body }) => setMaintenance(request, caller, body.enabled));
