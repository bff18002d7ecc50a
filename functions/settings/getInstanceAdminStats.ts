import { endpoint } from '../../lib/http/endpoint.ts';
import { version } from '../../lib/http/version.ts';
import { instanceStatistics as statisticsOf } from '../../lib/overviews/instance-statistics.ts';
import { instanceStatistics } from '../../lib/schemas/instance-statistics.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/instance-admin/statistics',
  group: 'Instance Admin',
  summary: 'Returns what there is in the service, in numbers.',
  description:
    'Changes, exports and imports are counted among the newest 20,000 changes. What would take a look at every strategy and ' +
    'every hour of usage (`maxConstraints`, `maxConstraintValues`, `previousDayMetricsBucketsCount`) is left out.',
  permission: 'ADMIN',
  throttle: { ratePerSecond: 5, burst: 10 },
  responses: { 200: instanceStatistics },
}).handle(({ table }) => statisticsOf(table, version));
