import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { version } from '../../lib/http/version.ts';
import { loadInstanceStatistics, statisticsCsv } from '../../lib/insights/instance-statistics.ts';

export const handler = endpoint({
  route: 'GET /api/admin/instance-admin/statistics/csv',
  group: 'Instance Admin',
  summary: 'Returns statistics of the instance, as CSV.',
  permission: 'ADMIN',
  throttle: { ratePerSecond: 5, burst: 10 },
  contentType: 'text/csv; charset=utf-8',
  responses: { 200: v.string() },
}).handle(async ({ request }) => statisticsCsv(await loadInstanceStatistics(request, version)));
