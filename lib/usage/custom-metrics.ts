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
  /** JSON: pairs of a name and a value, by name; missing where there are none. */
  readonly labels?: string;
  /** As text: the store knows fewer numbers. */
  readonly value: string;
  readonly at: string;
  readonly expiresAtSeconds: number;
}

/** The seconds for which a value is shown that is not reported again. */
const keptSeconds = 24 * 60 * 60;

/** The most names with labels that are kept: their list is answered whole. */
const seriesMax = 2_000;

/**
 * Takes note of what an application has measured; of each name with its labels, the last value is kept, as far as there is
 * room.
 */
export async function noteCustomMetrics(
  request: Request,
  memory: UsageBuffer,
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
    if (!quota.admits(key, seriesMax)) continue;
    memory.set(key, {
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
    .toSorted((a, b) => orderOf(a, b))
    .map(({ name, value, labels, at }) => ({
      name,
      value: Number(value),
      ...(labels !== undefined && { labels: Object.fromEntries(JSON.parse(labels)) }),
      timestamp: at,
    }));
}

function orderOf(a: CustomMetricItem, b: CustomMetricItem): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return (a.labels ?? '') < (b.labels ?? '') ? -1 : 1;
}

/**
 * The metrics in Prometheus' text format. What names of metrics and labels cannot have becomes an underscore, since one bad
 * name would make the whole text unreadable; of two that are the same by then, the later one counts.
 */
export function prometheusText(metrics: readonly CustomMetric[]): string {
  const families = Map.groupBy(metrics, ({ name }) => nameOf(name, /[^\w:]/g));
  const texts = [...families].map(([name, family]) => {
    const byTime = family.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    const lines = [...new Map(byTime.map((each) => lineOf(name, each)))].map(([series, value]) => `${series} ${value}`);
    return [`# HELP ${name} Custom metric reported by applications`, `# TYPE ${name} counter`, ...lines, ''].join('\n');
  });
  return ['# What applications have measured within a day.\n', ...texts].join('\n');
}

function lineOf(name: string, { labels = {}, value }: CustomMetric): [series: string, value: number] {
  const pairs = new Map(Object.entries(labels).map(([label, text]) => [nameOf(label, /\W/g), escaped(text)]));
  const shown = [...pairs].map(([label, text]) => `${label}="${text}"`).join(',');
  return [shown === '' ? name : `${name}{${shown}}`, value];
}

/** A name begins with no digit. */
function nameOf(text: string, impossible: RegExp): string {
  return text.replace(impossible, '_').replace(/^(?=\d)/, '_');
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
