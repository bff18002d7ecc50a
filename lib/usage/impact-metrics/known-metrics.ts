import { isWholeReportVisible, originOf } from '../../features/use/origin.ts';
import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { queryAll } from '../../store/read.ts';
import { computeExpiry, isUnexpired } from '../../values/time.ts';
import { loadHourly } from '../hourly-cache.ts';
import * as usageKeys from '../keys.ts';
import type { UsageBuffer } from '../usage-buffer.ts';
import type { ImpactMetricType, ListedImpactMetric } from './impact-metrics-schema.ts';
import type { ReportedMetric } from './reported-impact-metrics.ts';

/** The most metrics. */
const metricsMax = 200;
/** The time for which a metric is kept after its last report. */
export const keptSeconds = 31 * 24 * 60 * 60;
/** The age of the last report after which a metric gives its slot to a new one, if all are taken. */
const silentSeconds = 25 * 60 * 60;

interface MetricItem {
  readonly sk: string;
  readonly type: ImpactMetricType;
  readonly help: string;
  readonly expiresAtSeconds: number;
}

/** A metric that has a slot. */
interface KnownMetric {
  readonly type: ImpactMetricType;
  expiresAtSeconds: number;
}

/** The metrics that a process may record. Concurrent processes can exceed the limit by those that they add in one hour. */
class KnownMetrics {
  readonly #metrics: Map<string, KnownMetric>;

  constructor(items: readonly MetricItem[]) {
    this.#metrics = new Map(items.map(({ sk, type, expiresAtSeconds }) => [sk, { type, expiresAtSeconds }]));
  }

  /** Adds a metric if there are fewer than `max`, or as many, and one is silent. @returns false without a slot, or if the metric has another type. */
  tryAdd({ name, type }: ReportedMetric, now: Date, max: number): boolean {
    const expiresAtSeconds = computeExpiry(keptSeconds, now);
    const known = this.#metrics.get(name);
    if (known === undefined) {
      // Nobody knows which metrics are those of pages, so that a page must not take the slot of another if too many are taken.
      if (this.#metrics.size > max) return false;
      if (this.#metrics.size === max && !this.#removeSilent(expiresAtSeconds)) return false;
      this.#metrics.set(name, { type, expiresAtSeconds });
      return true;
    }
    if (known.type !== type) return false;
    known.expiresAtSeconds = expiresAtSeconds;
    return true;
  }

  #removeSilent(expiresAtSeconds: number): boolean {
    const ages = [...this.#metrics].map(([name, metric]) => [name, metric.expiresAtSeconds] as const);
    const [oldest] = ages.toSorted(([, a], [, b]) => a - b);
    const isSilent = oldest !== undefined && oldest[1] < expiresAtSeconds - silentSeconds;
    return isSilent && this.#metrics.delete(oldest[0]);
  }
}

/**
 * Returns those of the reported metrics that have a slot, and records that they were reported. A process that cannot read the store
 * and has not read it before admits none, or the limits would not hold.
 * @param options.share the share of the slots up to which the report may take new ones.
 */
export async function admitMetrics(
  request: Request,
  buffer: UsageBuffer,
  { projects }: TokenScope,
  reported: readonly ReportedMetric[],
  { now, share }: { readonly now: Date; readonly share: number },
): Promise<ReportedMetric[]> {
  const known = await loadHourly<KnownMetrics | undefined>(
    request,
    usageKeys.impactMetrics().pk,
    async () => new KnownMetrics(await loadMetrics(request)),
    () => undefined,
  );
  const admitted = reported.filter((metric) => known?.tryAdd(metric, now, metricsMax * share));
  const expiresAtSeconds = computeExpiry(keptSeconds, now);
  for (const { name, type, help } of admitted) {
    buffer.recordUse(usageKeys.impactMetric(name), { expiresAtSeconds }, { type, help, ...originOf(projects) });
  }
  return admitted;
}

/** Reads the metrics that were reported last. */
async function loadMetrics(request: Request): Promise<MetricItem[]> {
  const items = await queryAll<MetricItem>(request, usageKeys.impactMetrics());
  return items
    .filter(isUnexpired)
    .toSorted((a, b) => b.expiresAtSeconds - a.expiresAtSeconds)
    .slice(0, metricsMax);
}

/** Lists the impact metrics that the caller may see, by name. */
export async function listImpactMetrics(request: Request): Promise<ListedImpactMetric[]> {
  const items = await loadMetrics(request);
  return items
    .filter((item) => isWholeReportVisible(request, item))
    .toSorted((a, b) => (a.sk < b.sk ? -1 : 1))
    .map(({ sk, type, help }) => ({ name: sk, displayName: sk, help, type, source: 'internal' }));
}
