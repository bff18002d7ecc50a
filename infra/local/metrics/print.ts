import type { Metric, Registry } from 'prom-client';
import type { MetricFamily } from './families.ts';
import { metrics } from './metrics.ts';

/** The content type of the text format of Prometheus. */
export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8';

let opening: Promise<Registry> | undefined;

/** Prints all numbers of this process in the text format of Prometheus. */
export async function printMetrics(): Promise<string> {
  opening ??= openRegistry();
  return (await opening).metrics();
}

/**
 * Loads the library, which also measures the process: memory, processor time, garbage collection, files and delays of the event loop.
 * A server that nobody monitors does without its memory and its timer.
 */
async function openRegistry(): Promise<Registry> {
  // In a bundle, a CommonJS module that is loaded later only has a default export.
  const { collectDefaultMetrics, Registry } = (await import('prom-client')).default;
  const registry = new Registry();
  for (const family of Object.values<MetricFamily>(metrics)) registry.registerMetric(toMetric(family));
  collectDefaultMetrics({ register: registry });
  // These rise and fall, but are named like numbers that only rise, which tools that check the format refuse.
  for (const thing of ['resources', 'handles', 'requests']) registry.removeSingleMetric(`nodejs_active_${thing}_total`);
  return registry;
}

/** Returns a family as a metric of the library, which its registry asks for numbers. */
function toMetric(family: MetricFamily): Metric {
  const { name, help, type } = family;
  const get = async () => ({ name, help, type, values: family.listSamples() });
  return { name, help, type, get } as unknown as Metric;
}
