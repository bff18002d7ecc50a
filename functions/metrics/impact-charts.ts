import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { removeFeatureChart, saveFeatureChart } from '../../lib/features/change-charts.ts';
import { viewImpactChart } from '../../lib/features/chart.ts';
import { loadFeatureOfProject } from '../../lib/features/get-feature.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import * as schema from '../../lib/usage/impact-metrics/chart-schema.ts';
import * as lib from '../../lib/usage/impact-metrics/charts.ts';

const endpoint = endpointsOf('Metrics');
const flagChange = endpointsOf('Metrics', { effectsOf: suspendSchedules });

export const deleteFeatureImpactMetricsConfig = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/impact-metrics/config/{chartId}',
  summary: 'Removes a saved chart of impact metrics from a feature.',
  description: 'The values of the metric stay.',
  permission: 'UPDATE_FEATURE',
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params }) => removeFeatureChart(request, caller, params));

export const deleteInstanceImpactMetricsConfig = endpoint({
  route: 'DELETE /api/admin/impact-metrics/config/{chartId}',
  summary: 'Removes a saved chart of impact metrics that belongs to no feature.',
  description: 'The values of the metric stay.',
  permission: 'ADMIN',
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => lib.impactCharts.remove(request, caller, params.chartId));

export const getFeatureImpactMetrics = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/impact-metrics/config',
  summary: 'Lists the saved charts of impact metrics of a feature, the oldest first.',
  description:
    'They stay with a feature that is archived or moved, and are deleted with it. `GET /api/admin/impact-metrics` returns the values for a chart.',
  responses: { 200: schema.savedImpactCharts },
}).handle(async ({ request, params }) => {
  const { feature } = await loadFeatureOfProject(request, params);
  return { configs: feature.charts.map(viewImpactChart) };
});

export const getInstanceImpactMetricsConfig = endpoint({
  route: 'GET /api/admin/impact-metrics/config',
  summary: 'Lists the saved charts of impact metrics that belong to no feature, the oldest first.',
  description: '`GET /api/admin/impact-metrics` returns the values for a chart.',
  responses: { 200: schema.savedImpactCharts },
}).handle(async ({ request }) => ({ configs: (await lib.listImpactCharts(request)).map(lib.viewServiceChart) }));

export const saveFeatureImpactMetricsConfig = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/impact-metrics/config',
  summary: 'Saves a chart of impact metrics of a feature.',
  description:
    'With the `id` of a saved chart, it replaces that one. A feature has at most 20. The metric need not exist yet. SDKs get the same as before.',
  permission: 'UPDATE_FEATURE',
  body: schema.impactChartInput,
  responses: { 200: schema.impactChart },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => saveFeatureChart(request, caller, params, body),
  (saved) => ({ body: viewImpactChart(saved) }),
);

export const saveInstanceImpactMetricsConfig = endpoint({
  route: 'POST /api/admin/impact-metrics/config',
  summary: 'Saves a chart of impact metrics that belongs to no feature.',
  description:
    'With the `id` of a saved chart, it replaces that one. There are at most 20. The metric need not exist yet.',
  permission: 'ADMIN',
  body: schema.impactChartInput,
  responses: { 200: schema.impactChart },
  etag: true,
  errors: [404],
}).handle(
  ({ request, caller, body }) => lib.saveImpactChart(request, caller, body),
  (saved) => ({ body: lib.viewServiceChart(saved) }),
);
