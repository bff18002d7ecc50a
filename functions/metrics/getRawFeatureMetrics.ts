import { endpoint } from '../../lib/http/endpoint.ts';
import { featureMetrics, usageQuery } from '../../lib/usage/client-metrics-schema.ts';
import { listAllHours } from '../../lib/usage/feature-usage.ts';

const hoursBackDefault = 48;

export const handler = endpoint({
  route: 'GET /api/admin/client-metrics/features/{name}/raw',
  group: 'Metrics',
  summary: 'Lists the evaluations of a feature by hour, application and environment.',
  query: usageQuery,
  responses: { 200: featureMetrics },
  errors: [],
}).handle(async ({ request, params: { name }, query: { hoursBack = hoursBackDefault } }) => ({
  version: 1,
  maturity: 'stable',
  data: await listAllHours(request, name, hoursBack),
}));
