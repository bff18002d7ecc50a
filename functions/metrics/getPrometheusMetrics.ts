import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listCustomMetrics, prometheusText } from '../../lib/usage/custom-metrics.ts';

export const handler = endpoint({
  route: 'GET /api/admin/custom-metrics/prometheus',
  group: 'Metrics',
  summary: 'Returns the custom metrics of applications in the Prometheus text format.',
  contentType: 'text/plain; charset=utf-8',
  responses: { 200: v.string() },
}).handle(async ({ request }) => prometheusText(await listCustomMetrics(request)));
