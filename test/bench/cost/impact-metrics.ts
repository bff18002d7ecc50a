import { prices } from '../../../infra/prices.ts';
import type { ImpactMetricType } from '../../../lib/usage/impact-metrics/impact-metrics-schema.ts';
import { recordImpactMetrics } from '../../../lib/usage/impact-metrics/record-impact-metrics.ts';
import { UsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import type { ProvedService } from '../../prove/service.ts';
import { costOf } from './measure.ts';

/** The most US dollars a month for 20 instances that report 20 metrics every minute to one process. */
export const impactMetricsMax = 5;

/** The impact metrics that one process writes. */
interface ImpactLoad {
  readonly title: string;
  /** The number of metrics of each type. */
  readonly metrics: Readonly<Partial<Record<ImpactMetricType, number>>>;
  /** Number of times that these metrics are there. They are measured once, since the cost grows with their number. */
  readonly times: number;
  readonly instances: number;
  readonly series: number;
  readonly buckets: number;
}

const loads: readonly ImpactLoad[] = [
  {
    title: '20 instances with 20 metrics',
    metrics: { counter: 12, gauge: 4, histogram: 4 },
    times: 1,
    instances: 20,
    series: 2,
    buckets: 12,
  },
  { title: 'the limits, all counters', metrics: { counter: 2 }, times: 100, instances: 1, series: 50, buckets: 0 },
  { title: 'the limits, all gauges', metrics: { gauge: 2 }, times: 100, instances: 1, series: 50, buckets: 0 },
  { title: 'the limits, all histograms', metrics: { histogram: 2 }, times: 100, instances: 1, series: 50, buckets: 12 },
];

/** Cost of a load for one process, in US dollars a month. */
export interface ImpactCost {
  readonly title: string;
  readonly unitsOfMinute: number;
  readonly dollars: number;
}

const hoursOfMonth = 730;

/** Measures, at the store, what a process writes in the first and in another minute of an hour. */
export async function impactCosts(open: () => Promise<Pick<ProvedService, 'table'>>): Promise<ImpactCost[]> {
  const costs: ImpactCost[] = [];
  for (const load of loads) {
    const { table } = await open();
    const buffer = new UsageBuffer({ isMetered: true });
    const scope = { projects: ['*'], environment: 'production' };
    const start = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    /** Reports before and after a full minute, since a process writes at any second. */
    const unitsIn = async (minute: number) => {
      for (const second of [40, 80]) {
        const now = new Date(start + (minute * 60 + second) * 1_000);
        const reports = Math.max(1, load.instances / 2);
        for (let report = 0; report < reports; report += 1) {
          await recordImpactMetrics(table, buffer, scope, reportOf(load), now);
        }
      }
      return load.times * (await costOf(table, () => buffer.flush(table))).writeUnits;
    };
    const [first, unitsOfMinute] = [await unitsIn(0), await unitsIn(1)];
    const unitsOfHour = first + 59 * unitsOfMinute;
    const dollars = (unitsOfHour * hoursOfMonth * prices.millionWriteUnits) / 1e6;
    costs.push({ title: load.title, unitsOfMinute, dollars });
  }
  return costs;
}

function reportOf({ metrics, series, buckets }: ImpactLoad): object[] {
  return Object.entries(metrics).flatMap(([type, count]) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ name: `${type}_of_the_shop_${index}`, help: 'What it is for', type },
      samples: Array.from({ length: series }, (_each, variant) => ({
        labels: { appName: 'shop', environment: 'production', checkout: `variant-${variant}` },
        ...{ value: 1234.5, count: buckets, sum: 1234.5 },
        buckets: Array.from({ length: buckets }, (_bucket, bound) => ({
          le: bound === buckets - 1 ? '+Inf' : bound * 12.5,
          count: bound + 1,
        })),
      })),
    })),
  );
}
