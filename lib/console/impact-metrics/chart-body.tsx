import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { addressOfValues, type ChartToSave } from '../calls/impact-metrics.ts';
import { reload, useRead } from '../data/cache.ts';
import { Problem, Skeleton } from '../parts/states.tsx';
import { describeMoment, nameOfChart } from '../words/charts.ts';
import { describeTime } from '../words/times.ts';
import { LineChart } from './line-chart.tsx';
import { plotImpactMetric } from './plot-impact-metric.ts';

/** The lines of a chart, or why there are none. */
export function ChartBody({ chart }: { readonly chart: ChartToSave }): JSX.Element {
  const path = addressOfValues(chart);
  const { value, problem } = useRead(path, 30_000);
  const plot = useMemo(() => value && plotImpactMetric(value, chart.yAxisMin), [value, chart.yAxisMin]);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (plot === undefined) return <Skeleton rows={4} />;
  if (plot.lines.length === 0) return <p class="muted">No application has reported this metric in this time.</p>;
  return (
    <LineChart
      name={nameOfChart(chart)}
      plot={plot}
      describeShortly={(time) => describeMoment(time, chart.timeRange)}
      describeExactly={(time) => describeTime(time * 1_000)}
    />
  );
}
