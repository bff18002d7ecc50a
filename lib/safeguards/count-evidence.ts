import { type FlagMetric, isFlagMetric, type Safeguard } from '../features/plans/safeguard-schema.ts';
import type { Request } from '../request.ts';
import { loadEvaluationCounts } from '../usage/feature-minutes.ts';
import { measureImpactMetric } from '../usage/impact-metrics/measure-impact-metric.ts';
import type { Evidence } from './evaluate.ts';

const minute = 60;
const hour = 60 * minute;
/** The seconds of a time range. */
export const rangeSeconds = { hour, day: 24 * hour, week: 7 * 24 * hour, month: 31 * 24 * hour } as const;

/** The age of a report after which nothing is known. SDKs report every minute, and some every few minutes. */
const freshSeconds = 15 * minute;
/**
 * A safeguard against too little waits for this time after a start, since every number is low until all instances have reported. For a
 * sum, it waits for the whole time range.
 */
const settlingSeconds = 5 * minute;
/** An instance counts as reporting for this time after its last report. */
const instanceSeconds = 10 * minute;
/** A share of fewer evaluations would be a matter of chance. */
const evaluationsMin = 10;

const silence = 'Nothing was reported in the last 15 minutes.';
const silenceSinceStart = 'Nothing was reported since the start. Earlier reports do not count.';
const tooEarly = 'The time since the start is too short to tell that something is too little.';
const tooFew = `Fewer than ${evaluationsMin} evaluations were reported.`;
const noInstance = 'No instance with an id has reported the feature.';

/** The place and the time of a measurement. */
export interface MeasuredPlace {
  readonly feature: string;
  readonly environment: string;
  /** The beginning of the first minute that counts, in milliseconds since 1970. */
  readonly since: number;
  readonly now: Date;
}

/** A range of time, in seconds since 1970. */
interface Range {
  readonly from: number;
  readonly now: number;
}

interface Counted {
  /** Empty for the reason in `missing`. */
  readonly values: readonly number[];
  readonly missing?: string;
  /** The end of the last minute with a report; undefined without any. */
  readonly lastAt: number | undefined;
  /** True for a sum, which grows with the range. */
  readonly isSum: boolean;
}

/** Measures a safeguard that compares numbers of SDKs: of an impact metric, or about the feature itself. */
export async function measureCounts(
  request: Request,
  { impactMetric, triggerCondition: { operator } }: Safeguard,
  { since, now: at, ...feature }: MeasuredPlace,
): Promise<Evidence> {
  const now = Math.floor(at.getTime() / 1_000);
  const seconds = rangeSeconds[impactMetric.timeRange];
  const range = { from: Math.max(since / 1_000, Math.floor((now - seconds) / minute) * minute), now };
  const { metricName } = impactMetric;
  const { values, missing, lastAt, isSum } = isFlagMetric(metricName)
    ? await countEvaluations(request, feature, metricName, impactMetric, range)
    : await measureMetric(request, impactMetric, range);
  if (lastAt === undefined || lastAt <= now - freshSeconds)
    return { missing: range.from > now - freshSeconds ? silenceSinceStart : silence };
  if (operator === '<' && now - range.from < (isSum ? seconds : settlingSeconds)) return { missing: tooEarly };
  const [first, ...others] = values;
  if (first === undefined) return { missing: missing ?? silence };
  return { values: [first, ...others], at: new Date(Math.min(lastAt, now) * 1_000).toISOString() };
}

async function measureMetric(request: Request, metric: Safeguard['impactMetric'], range: Range): Promise<Counted> {
  const measured = await measureImpactMetric(request, metric, { ...range, recentSeconds: freshSeconds });
  if (measured === undefined) return { values: [], lastAt: undefined, isSum: false };
  const { type, ...others } = measured;
  // The sum of gauges is that of their levels, which does not grow.
  const isSum = metric.aggregationMode === 'count' || (metric.aggregationMode === 'sum' && type !== 'gauge');
  return { ...others, isSum };
}

async function countEvaluations(
  request: Request,
  { feature: name, environment }: Pick<MeasuredPlace, 'feature' | 'environment'>,
  metric: FlagMetric,
  { aggregationMode, labelSelectors }: Safeguard['impactMetric'],
  { from, now }: Range,
): Promise<Counted> {
  const isInstances = metric === 'flag:instances';
  const begin = isInstances ? Math.max(from, Math.floor(now / minute) * minute - instanceSeconds) : from;
  const counts = await loadEvaluationCounts(request, { name, environment }, { from: begin, to: now });
  const { yes, no, variants, instances, lastAt } = counts;
  const evaluations = yes + no;
  const shareOf = (part: number, whole: number) =>
    whole < evaluationsMin ? { values: [], missing: tooFew } : { values: [part / whole] };
  switch (metric) {
    case 'flag:evaluations': {
      const isSum = aggregationMode === 'count';
      const seconds = Math.max(minute, (lastAt ?? now) - from);
      return { values: [isSum ? evaluations : evaluations / seconds], lastAt, isSum };
    }
    case 'flag:yes-rate':
      return { ...shareOf(yes, evaluations), lastAt, isSum: false };
    case 'flag:variant-share': {
      const chosen = [...variants.values()].reduce((sum, count) => sum + count, 0);
      const share = shareOf(variants.get(labelSelectors.variant?.[0] ?? '') ?? 0, chosen);
      return { ...share, lastAt, isSum: false };
    }
    case 'flag:instances':
      if (instances.size === 0) return { values: [], missing: noInstance, lastAt, isSum: false };
      return { values: [instances.size], lastAt, isSum: false };
  }
}
