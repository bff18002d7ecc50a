import type { ImpactChartView } from '../../usage/impact-metrics/chart-schema.ts';
import type { AggregationMode, ImpactMetricType } from '../../usage/impact-metrics/impact-metrics-schema.ts';
import { aggregationNames, rangeNames } from './impact-metrics.ts';

/** The useful ways to combine the values of a metric, the most common first. */
export const aggregationsOf: Readonly<Record<ImpactMetricType, readonly AggregationMode[]>> = {
  counter: ['count', 'rps'],
  gauge: ['avg', 'sum'],
  histogram: ['p50', 'p95', 'p99', 'avg', 'count', 'rps', 'sum'],
};

export const metricTypeNames: Readonly<Record<ImpactMetricType, string>> = {
  counter: 'Counter',
  gauge: 'Gauge',
  histogram: 'Histogram',
};

/** Returns the name of a chart: its title, or that of its metric. */
export function nameOfChart({ title, metricName }: Pick<ImpactChartView, 'title' | 'metricName'>): string {
  return title ?? metricName;
}

/** Describes a chart beside its name: "orders · Count · Last 24 hours · appName shop". */
export function describeChart(chart: Omit<ImpactChartView, 'id' | 'displayName' | 'source' | 'mode'>): string {
  const { title, metricName, aggregationMode, timeRange, labelSelectors } = chart;
  const labels = Object.entries(labelSelectors)
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => (values.includes('*') ? `each ${label}` : `${label} ${values.join(', ')}`));
  const metric = title === undefined ? [] : [metricName];
  return [...metric, aggregationNames[aggregationMode], rangeNames[timeRange], ...labels].join(' · ');
}

/** Names a series by its labels: "shop, production". */
export function describeLabels(labels: Readonly<Record<string, string>>): string {
  const values = Object.values(labels);
  return values.length === 0 ? 'All' : values.join(', ');
}

/** Writes a time below a chart: the time of day, or for long ranges the day. @param seconds since 1970. */
export function describeMoment(seconds: number, range: ImpactChartView['timeRange']): string {
  const date = new Date(seconds * 1_000);
  const day = { day: 'numeric', month: 'short' } as const;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  if (range === 'hour' || range === 'day') return date.toLocaleString('en-GB', time);
  return date.toLocaleString('en-GB', day);
}
