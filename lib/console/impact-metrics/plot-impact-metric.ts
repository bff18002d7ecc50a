import type { ImpactMetricSeries } from '../../usage/impact-metrics/impact-metrics-schema.ts';
import { describeLabels } from '../words/charts.ts';
import { lastOf, type Plot, plotSeries } from './plot-lines.ts';

/** Plots the series of an impact metric, those with the highest last value first. */
export function plotImpactMetric(reply: ImpactMetricSeries, yAxisMin: 'auto' | 'zero'): Plot {
  const [start, end, step] = [Number(reply.start), Number(reply.end), Number(reply.step)];
  const series = reply.series
    .map(({ metric, data }) => ({
      name: describeLabels(metric),
      values: new Map(data.map(([time, value]) => [Number(time), Number(value)])),
    }))
    .toSorted((a, b) => lastOf(b.values) - lastOf(a.values));
  return plotSeries(series, { start, end, step, overUntil: end - step, isFromZero: yAxisMin === 'zero' });
}
