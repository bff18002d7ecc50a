import type { ImpactChartInput, ImpactChartView } from '../../usage/impact-metrics/chart-schema.ts';
import type { ImpactMetricSeries, ListedImpactMetric } from '../../usage/impact-metrics/impact-metrics-schema.ts';
import { change, read } from '../data/declare-call.ts';

const metrics = '/api/admin/impact-metrics';
export const getImpactMetricsMetadata = read<{ readonly metrics: readonly ListedImpactMetric[] }>()(
  'getImpactMetricsMetadata',
  `${metrics}/metadata`,
);
const getImpactMetrics = read<ImpactMetricSeries>()('getImpactMetrics', metrics);

/** A chart to save. */
export type ChartToSave = Omit<ImpactChartInput, 'source'>;

/** Returns the address of the values that a chart shows. */
export function addressOfValues(chart: Omit<ChartToSave, 'id' | 'title' | 'yAxisMin'>) {
  const { metricName, timeRange: range, aggregationMode, labelSelectors } = chart;
  const selected = Object.entries(labelSelectors).filter(([, values]) => values.length > 0);
  const labels = selected.length > 0 && { labels: JSON.stringify(Object.fromEntries(selected)) };
  return getImpactMetrics({}, { metricName, range, aggregationMode, ...labels });
}

const ofService = `${metrics}/config` as const;
export const getInstanceImpactMetricsConfig = read<{ readonly configs: readonly ImpactChartView[] }>()(
  'getInstanceImpactMetricsConfig',
  ofService,
);
export const saveInstanceImpactMetricsConfig = change<ImpactChartView, ChartToSave>()(
  'saveInstanceImpactMetricsConfig',
  'POST',
  ofService,
);
export const deleteInstanceImpactMetricsConfig = change()(
  'deleteInstanceImpactMetricsConfig',
  'DELETE',
  `${ofService}/{chartId}`,
);

const ofFlag = '/api/admin/projects/{projectId}/features/{featureName}/impact-metrics/config';
export const saveFeatureImpactMetricsConfig = change<ImpactChartView, ChartToSave>()(
  'saveFeatureImpactMetricsConfig',
  'POST',
  ofFlag,
);
export const deleteFeatureImpactMetricsConfig = change()(
  'deleteFeatureImpactMetricsConfig',
  'DELETE',
  `${ofFlag}/{chartId}`,
);
