import { randomUUID } from 'node:crypto';
import type { ImpactChartInput, ImpactChartView } from '../usage/impact-metrics/chart-schema.ts';

/** A saved chart of an impact metric. */
export type ImpactChart = Omit<ImpactChartView, 'displayName' | 'source' | 'mode'>;

/** Returns a chart as replies and events show it. */
export function viewImpactChart(chart: ImpactChart): ImpactChartView {
  return { ...chart, displayName: chart.metricName, source: 'internal', mode: 'write' };
}

/** Builds a saved chart, with a new id if it has none. */
export function buildImpactChart({ id = randomUUID(), source: _source, ...content }: ImpactChartInput): ImpactChart {
  return { id, ...content };
}
