import { endpoint } from '../../lib/http/endpoint.ts';
import { trends } from '../../lib/insights/insights-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/insights',
  group: 'Unavailable',
  summary: 'Returns weekly insights; none are kept.',
  rights: 'none',
  responses: { 200: trends },
}).handle(async () => ({
  userTrends: [],
  flagTrends: [],
  projectFlagTrends: [],
  metricsSummaryTrends: [],
  environmentTypeTrends: [],
  lifecycleTrends: [],
  creationArchiveTrends: [],
}));
