import { isReportVisible, originOf } from '../features/use/origin.ts';
import type { TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { queryAll } from '../store/read.ts';
import { sha256 } from '../values/sha256.ts';
import { computeExpiry, isUnexpired } from '../values/time.ts';
import type { CustomMetric, CustomMetrics } from './client-metrics-schema.ts';
import * as usageKeys from './keys.ts';
import { loadQuota } from './partition-quota.ts';
import type { UsageBuffer } from './usage-buffer.ts';

interface CustomMetricItem {
  readonly name: string;
  /** JSON: pairs of a name and a value, sorted by name; missing if there are none. */
  readonly labels?: string;
  /** A number as text, because DynamoDB's numbers have a smaller range than those of JavaScript. */
  readonly value: string;
  readonly at: string;
  readonly expiresAtSeconds: number;
}

/** The time for which a value is kept that is not reported again. */
const keptSeconds = 24 * 60 * 60;

/** The most combinations of a name and labels: a reply lists all of them. */
const seriesMax = 2_000;

/** Records the custom metrics of an application: the last value of each name with its labels, up to `seriesMax`. */
export async function recordCustomMetrics(
  request: Request,
  buffer: UsageBuffer,
  { projects }: TokenScope,
  { metrics }: CustomMetrics,
  now: Date,
): Promise<void> {
  const quota = await loadQuota(request, usageKeys.customMetrics());
  const at = `${now.toISOString().slice(0, 16)}:00.000Z`;
  const expiresAtSeconds = computeExpiry(keptSeconds, now);
  for (const { name, value, labels = {} } of metrics) {
    const pairs = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const id = JSON.stringify([name, pairs]);
    const hash = sha256(id).slice(0, 32);
    const key = usageKeys.customMetric(hash);
    if (!quota.tryAdd(key, seriesMax)) continue;
    buffer.set(key, {
      ...{ name, value: String(value), at, expiresAtSeconds, ...originOf(projects) },
      ...(pairs.length > 0 && { labels: JSON.stringify(pairs) }),
    });
  }
}

/** Lists the custom metrics that applications have sent within a day, by name and labels. */
export async function listCustomMetrics(request: Request): Promise<CustomMetric[]> {
  const items = await queryAll<CustomMetricItem>(request, usageKeys.customMetrics());
  return items
    .filter((item) => isUnexpired(item) && isReportVisible(request, item))
    .toSorted(compare)
    .map(({ name, value, labels, at }) => ({
      name,
      value: Number(value),
      ...(labels !== undefined && { labels: Object.fromEntries(JSON.parse(labels)) }),
      timestamp: at,
    }));
}

function compare(a: CustomMetricItem, b: CustomMetricItem): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return (a.labels ?? '') < (b.labels ?? '') ? -1 : 1;
}

/**
 * Formats metrics in Prometheus' text format. Characters that names of metrics and labels cannot have become underscores,
 * since one invalid name would make the whole text unreadable. If two metrics get the same name, the later one counts.
 */
export function formatPrometheusText(metrics: readonly CustomMetric[]): string {
  const families = Map.groupBy(metrics, ({ name }) => toValidName(name, /[^\w:]/g));
  const texts = [...families].map(([name, family]) => {
    const byTime = family.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    const lines = [...new Map(byTime.map((metric) => toSeries(name, metric)))].map(
      ([series, value]) => `${series} ${value}`,
    );
    return [`# HELP ${name} Custom metric reported by applications`, `# TYPE ${name} counter`, ...lines, ''].join('\n');
  });
  return ['# What applications have measured within a day.\n', ...texts].join('\n');
}

function toSeries(name: string, { labels = {}, value }: CustomMetric): [series: string, value: number] {
  const pairs = new Map(Object.entries(labels).map(([label, text]) => [toValidName(label, /\W/g), escapeLabel(text)]));
  const labelText = [...pairs].map(([label, text]) => `${label}="${text}"`).join(',');
  return [labelText === '' ? name : `${name}{${labelText}}`, value];
}

/** Replaces invalid characters, and adds an underscore before a digit at the beginning. */
function toValidName(text: string, invalid: RegExp): string {
  return text.replace(invalid, '_').replace(/^(?=\d)/, '_');
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
