import { ApiError } from '../../errors.ts';
import type { Request } from '../../request.ts';
import type {
  AggregationMode,
  ImpactMetricQuery,
  ImpactMetricSeries,
  ImpactMetricType,
} from './impact-metrics-schema.ts';
import { listImpactMetrics } from './known-metrics.ts';
import { countOf, createNumbers, mergeNumbers, type Numbers, quantileOf } from './numbers.ts';
import { type Labels, loadPeriods, type Period } from './periods.ts';

const minute = 60;
const hour = 60 * minute;
/** The seconds of each range, and of its steps by default. */
const ranges = {
  hour: { seconds: hour, step: minute },
  day: { seconds: 24 * hour, step: hour },
  week: { seconds: 7 * 24 * hour, step: hour },
  month: { seconds: 31 * 24 * hour, step: 6 * hour },
} as const;
/** The ranges that can have steps of minutes, which are kept for about a day. */
const rangesOfMinutes: readonly string[] = ['hour', 'day'];

const shares = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/**
 * Reads the values of an impact metric over time: one series, or one for each combination of the selected labels. It is empty for an
 * unknown metric, and has no point where the metric was not reported.
 * @throws ApiError 400 for a percentile of a metric that is no histogram.
 */
export async function queryImpactMetric(
  request: Request,
  query: ImpactMetricQuery,
  now = Date.now(),
): Promise<ImpactMetricSeries> {
  const { aggregationMode, labels: selectors } = query;
  const { step, from, to } = planSteps(query, Math.floor(now / 1_000));
  const reply = { start: String(from), end: String(to), step: String(step), series: [], labels: {} };
  const name = query.metricName ?? query.series;
  if (name === undefined) throw new ApiError('ValidationError', 'The parameter metricName is required.');
  const unit = step % hour === 0 ? 'HOUR' : 'MINUTE';
  const [metrics, stored] = await Promise.all([
    listImpactMetrics(request),
    loadPeriods(request, name, unit, { from, to }),
  ]);
  const type = metrics.find((metric) => metric.name === name && metric.source === query.source)?.type;
  if (type === undefined) return reply;
  if (aggregationMode in shares && type !== 'histogram')
    throw new ApiError('ValidationError', `${aggregationMode} needs a histogram, and ${name} is a ${type}.`);
  const periods = stored.map((period) => addTypeLabel(period, type));
  const steps = [...Map.groupBy(periods, ({ start }) => Math.floor(start / step) * step)];
  const secondsOf = (start: number) => Math.max(minute, Math.min(step, to - start));
  const lines = new Map<string, { metric: Labels; data: [number, string][] }>();
  for (const [start, inStep] of steps) {
    for (const { metric, seriesNumbers } of groupSeries(type, inStep, selectors)) {
      const value = aggregate(type, aggregationMode, seriesNumbers, secondsOf(start));
      if (value === undefined) continue;
      const id = JSON.stringify(metric);
      const line = lines.get(id) ?? { metric, data: [] };
      line.data.push([start, textOf(value)]);
      lines.set(id, line);
    }
  }
  const series = [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  return { ...reply, series, labels: collectLabels(periods) };
}

/** Adds the label that all series have in Prometheus. Unleash's admin UI offers the aggregations of the type that it names. */
function addTypeLabel({ start, series }: Period, type: ImpactMetricType): Period {
  return {
    start,
    series: series.map(({ labels, numbers }) => ({ labels: { ...labels, metric_type: type }, numbers })),
  };
}

/** Returns the beginning of the first step, the end, and the seconds of a step. */
function planSteps({ range, step: wished }: ImpactMetricQuery, now: number) {
  const { seconds, step: usual } = ranges[range];
  const unit = rangesOfMinutes.includes(range) ? minute : hour;
  const step = wished === undefined ? usual : Math.min(seconds, Math.ceil(wished / unit) * unit);
  return { step, from: Math.floor((now - seconds) / step) * step + step, to: now };
}

interface Group {
  readonly metric: Labels;
  /** The numbers of each series. */
  readonly seriesNumbers: readonly Numbers[];
}

/** Groups the series of a step by the selected labels, and leaves out those with other values. */
export function groupSeries(
  type: ImpactMetricType,
  periods: readonly Period[],
  selectors: Readonly<Record<string, readonly string[]>>,
): Group[] {
  const wanted = Object.entries(selectors).filter(([, values]) => values.length > 0);
  const groups = new Map<string, { metric: Labels; byLabels: Map<string, Numbers> }>();
  // A metric that was reported without any series is 0, rather than unknown.
  if (wanted.length === 0) groups.set('{}', { metric: {}, byLabels: new Map() });
  for (const { labels, numbers } of periods.flatMap(({ series }) => series)) {
    const isWanted = wanted.every(([label, values]) => {
      const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
      return value !== undefined && (values.includes('*') || values.includes(value));
    });
    if (!isWanted) continue;
    const metric = Object.fromEntries(wanted.map(([label]) => [label, labels[label] ?? '']));
    const id = JSON.stringify(metric);
    const group = groups.get(id) ?? { metric, byLabels: new Map<string, Numbers>() };
    groups.set(id, group);
    const ofSeries = JSON.stringify(labels);
    const sum = group.byLabels.get(ofSeries) ?? createNumbers();
    mergeNumbers(sum, numbers, type === 'gauge');
    group.byLabels.set(ofSeries, sum);
  }
  return [...groups.values()].map(({ metric, byLabels }) => ({ metric, seriesNumbers: [...byLabels.values()] }));
}

/** Returns the value of some series together; undefined if they have none. */
export function aggregate(
  type: ImpactMetricType,
  mode: AggregationMode,
  series: readonly Numbers[],
  seconds: number,
): number | undefined {
  const all = createNumbers();
  for (const numbers of series) mergeNumbers(all, numbers);
  const count = { counter: all.value, gauge: all.number, histogram: countOf(all) }[type];
  const sum = type === 'counter' ? all.value : all.sum;
  const averages = { counter: series.length, gauge: all.number, histogram: count };
  if (mode === 'count') return count;
  if (mode === 'rps') return count / seconds;
  if (mode === 'avg') return averages[type] === 0 ? undefined : sum / averages[type];
  if (mode !== 'sum') return quantileOf(all, shares[mode]);
  if (type !== 'gauge') return sum;
  // The sum of gauges is that of what each was on average: a sum over time means nothing.
  const levels = series.flatMap(({ sum: total, number }) => (number === 0 ? [] : total / number));
  return levels.length === 0 ? undefined : levels.reduce((level, each) => level + each, 0);
}

/** Formats a number without the noise of its last digits. */
function textOf(value: number): string {
  return String(Number(value.toPrecision(12)));
}

function collectLabels(periods: readonly Period[]): Record<string, string[]> {
  const values = new Map<string, Set<string>>();
  for (const [label, value] of periods
    .flatMap(({ series }) => series)
    .flatMap(({ labels }) => Object.entries(labels))) {
    values.set(label, (values.get(label) ?? new Set()).add(value));
  }
  return Object.fromEntries([...values].toSorted().map(([label, ofLabel]) => [label, [...ofLabel].toSorted()]));
}
