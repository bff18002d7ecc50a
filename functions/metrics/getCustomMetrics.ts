import { endpoint } from '../../lib/http/endpoint.ts';
import { listedCustomMetrics } from '../../lib/usage/client-metrics-schema.ts';
import { listCustomMetrics } from '../../lib/usage/custom-metrics.ts';

export const handler = endpoint({
  route: 'GET /api/admin/custom-metrics',
  group: 'Metrics',
  summary: 'Lists the custom metrics that applications have sent within a day.',
  responses: { 200: listedCustomMetrics },
}).handle(async ({ request }) => {
  const metrics = await listCustomMetrics(request);
  return { metrics, count: metrics.length, metricNames: [...new Set(metrics.map(({ name }) => name))] };
});
