import type { Request } from '../../request.ts';
import type { AggregationMode, ImpactMetricType } from './impact-metrics-schema.ts';
import { listImpactMetrics } from './known-metrics.ts';
import { loadPeriods } from './periods.ts';
import { aggregate, groupSeries } from './query-impact-metric.ts';

const minute = 60;
const hour = 60 * minute;
/** Minutes are kept for 25 hours. */
const minutesKept = 24 * hour;

/** A selection of the measurements of a metric, and how they become one number. */
interface Measure {
  readonly metricName: string;
  readonly aggregationMode: AggregationMode;
  readonly labelSelectors: Readonly<Record<string, readonly string[]>>;
}

/** One number for a range of time. */
interface MeasuredMetric {
  readonly type: ImpactMetricType;
  /** The end of the last minute with a report, in seconds since 1970. */
  readonly lastAt: number;
  /** One value for each combination of the labels that are kept apart; empty if nothing was measured. */
  readonly values: readonly number[];
}

/**
 * Measures an impact metric from a moment up to now: the last minutes and whole hours, so that a day costs no more than two hours. What
 * lies before the first whole hour is left out if its minutes are gone.
 * @param from a whole minute, in seconds since 1970.
 * @param recentSeconds the time up to now in which the metric must have been reported.
 * @returns undefined for an unknown metric, and for one that was not reported in that time.
 */
export async function measureImpactMetric(
  request: Request,
  { metricName, aggregationMode, labelSelectors }: Measure,
  { from, now, recentSeconds }: { readonly from: number; readonly now: number; readonly recentSeconds: number },
): Promise<MeasuredMetric | undefined> {
  const firstHour = Math.ceil(from / hour) * hour;
  const firstMinute = from < now - minutesKept ? firstHour : from;
  const recent = Math.max(from, Math.floor((now - recentSeconds) / minute) * minute);
  const load = (kind: 'MINUTE' | 'HOUR', start: number, end: number) =>
    start > end ? [] : loadPeriods(request, metricName, kind, { from: start, to: end });
  const [metrics, minutes, hours, recentMinutes] = await Promise.all([
    listImpactMetrics(request),
    load('MINUTE', firstMinute, Math.min(firstHour - minute, now)),
    load('HOUR', firstHour, now),
    load('MINUTE', recent, now),
  ]);
  const type = metrics.find(({ name }) => name === metricName)?.type;
  const last = recentMinutes.at(-1);
  if (type === undefined || last === undefined) return undefined;
  const lastAt = last.start + minute;
  const seconds = Math.max(minute, lastAt - Math.min(firstMinute, firstHour));
  const groups = groupSeries(type, [...minutes, ...hours], labelSelectors);
  const values = groups.flatMap(({ seriesNumbers }) => aggregate(type, aggregationMode, seriesNumbers, seconds) ?? []);
  return { type, lastAt, values };
}
