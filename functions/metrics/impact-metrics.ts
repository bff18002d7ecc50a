import { endpointsOf } from '../../lib/http/endpoint.ts';
import {
  impactMetricQuery,
  impactMetricSeries,
  impactMetricsMetadata,
} from '../../lib/usage/impact-metrics/impact-metrics-schema.ts';
import { listImpactMetrics } from '../../lib/usage/impact-metrics/known-metrics.ts';
import { queryImpactMetric } from '../../lib/usage/impact-metrics/query-impact-metric.ts';

const endpoint = endpointsOf('Metrics');

export const getImpactMetrics = endpoint({
  route: 'GET /api/admin/impact-metrics',
  summary: 'Returns the values of an impact metric over the last hour, day, week or month.',
  description:
    'Applications send impact metrics with their usage: what they measure, such as orders or response times. `labels` is JSON with the allowed values of labels, such as `{"appName":["shop"]}`; there is a series for each combination of them, and `*` allows all values. The label `metric_type` names the type of the metric. `step` is in seconds. Minutes are kept for 25 hours, hours for 31 days. `p50`, `p95` and `p99` need a histogram. The series are empty for an unknown metric.',
  query: impactMetricQuery,
  responses: { 200: impactMetricSeries },
}).handle(({ request, query }) => queryImpactMetric(request, query));

export const getImpactMetricsMetadata = endpoint({
  route: 'GET /api/admin/impact-metrics/metadata',
  summary: 'Lists the impact metrics that applications sent within the last 31 days.',
  description:
    'There are at most 200. The first report of a metric decides whether it is a counter, a gauge or a histogram. Reports appear after about a minute.',
  responses: { 200: impactMetricsMetadata },
}).handle(async ({ request }) => ({ metrics: await listImpactMetrics(request) }));
