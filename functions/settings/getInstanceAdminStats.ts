import { endpoint } from '../../lib/http/endpoint.ts';
import { version } from '../../lib/http/version.ts';
import { loadInstanceStatistics as statisticsOf } from '../../lib/insights/instance-statistics.ts';
import { instanceStatistics } from '../../lib/insights/instance-statistics-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/instance-admin/statistics',
  group: 'Instance Admin',
  summary: 'Returns statistics of the instance.',
  description:
    'Changes, exports and imports are counted among the newest 20,000 changes. `previousDayMetricsBucketsCount` is left ' +
    'out: hours of usage are stored with each feature, so that counting those of a day would take a request for each of them.',
  permission: 'ADMIN',
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: instanceStatistics },
}).handle(({ request }) => statisticsOf(request, version));
