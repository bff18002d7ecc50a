import type { Request } from '../../request.ts';
import { mapChunks } from '../../values/lists.ts';
import type { ListedImpactMetric } from './impact-metrics-schema.ts';
import { listImpactMetrics } from './known-metrics.ts';
import { boundText, countOf, createNumbers, mergeNumbers, type Numbers } from './numbers.ts';
import { type Labels, loadPeriods, type Period } from './periods.ts';

/** The metrics whose hours are in memory at the same time: those of one can have several hundred kB. */
const metricsAtOnce = 4;

/**
 * Prints the impact metrics in Prometheus' text format, with the labels and in the order of Unleash. Counters and histograms begin
 * again at 0 with each day of UTC, which Prometheus treats like the restart of a process: hours are kept for a month only, so a sum
 * of all of them would fall.
 * @param prefix the beginning of the names of the metrics; empty for all.
 */
export async function printImpactMetrics(request: Request, prefix = ''): Promise<string> {
  const to = Math.floor(Date.now() / 1_000);
  const today = { from: to - (to % 86_400), to };
  const metrics = (await listImpactMetrics(request)).filter(({ name }) => name.startsWith(prefix));
  const texts = await mapChunks(metrics, metricsAtOnce, async (metric) =>
    printMetric(metric, await loadPeriods(request, metric.name, 'HOUR', today)),
  );
  return texts.join('\n');
}

function printMetric({ name, help, type }: ListedImpactMetric, periods: readonly Period[]): string {
  const totals = new Map<string, { labels: Labels; numbers: Numbers }>();
  for (const { labels, numbers } of periods.flatMap(({ series }) => series)) {
    const id = JSON.stringify(labels);
    const total = totals.get(id) ?? { labels, numbers: createNumbers() };
    mergeNumbers(total.numbers, numbers, type === 'gauge');
    totals.set(id, total);
  }
  const lines = [...totals.values()].flatMap(({ labels, numbers }) =>
    type === 'histogram'
      ? printHistogram(name, labels, numbers)
      : `${name}${printLabels({ origin: 'sdk', ...labels, metric_type: type }, ['origin', 'metric_type'])} ${exact(numbers.value)}`,
  );
  const helpText = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return [`# HELP ${name} ${helpText}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function printHistogram(name: string, labels: Labels, numbers: Numbers): string[] {
  const all = Object.entries({ origin: 'sdk', ...labels, metric_type: 'histogram' });
  const sorted = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  let reached = 0;
  const buckets = [...numbers.counts].toSorted(([a], [b]) => a - b);
  return [
    ...buckets.map(([bound, count]) => {
      reached += count;
      return `${name}_bucket${printLabels({ ...sorted, le: boundText(bound) })} ${exact(reached)}`;
    }),
    `${name}_sum${printLabels(sorted)} ${exact(numbers.sum)}`,
    `${name}_count${printLabels(sorted)} ${exact(countOf(numbers))}`,
  ];
}

/** @param first the labels at the beginning; the others follow in their order. */
function printLabels(labels: Labels, first: readonly string[] = []): string {
  const names = [...new Set([...first, ...Object.keys(labels)])];
  const escaped = (text = '') => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `{${names.map((name) => `${name}="${escaped(labels[name])}"`).join(',')}}`;
}

/** Returns a number without the noise of its last digits. */
function exact(value: number): number {
  return Number(value.toPrecision(15));
}
