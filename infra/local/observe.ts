import { statSync } from 'node:fs';
import { observeActivities } from '../../lib/activities.ts';
import { version } from '../../lib/http/version.ts';
import { storeFileIn } from './embedded-store.ts';
import type { MetricSample } from './metrics/families.ts';
import { measureActivity } from './metrics/measure.ts';
import { metrics } from './metrics/metrics.ts';
import type { LocalSettings } from './settings.ts';
import type { Tracing } from './traces/tracing.ts';

/**
 * Counts the activities of this process for the metrics, and traces them if the environment names a collector. Without one, nothing
 * of OpenTelemetry is loaded.
 */
export async function startObserving(settings: LocalSettings): Promise<Tracing | undefined> {
  const { sampling, storeEndpoint } = settings;
  metrics.build.showAll(() => [{ labels: { version, commit: process.env.FLAGSTAFF_COMMIT ?? '' }, value: 1 }]);
  metrics.storeFiles.showAll(() => measureStoreFiles(settings));
  observeActivities(measureActivity);
  if (sampling === undefined) return undefined;
  const { openTracing } = await import('./traces/tracing.ts');
  const tracing = openTracing(sampling, storeEndpoint === undefined ? 'sqlite' : 'aws.dynamodb');
  observeActivities((activity, run) => measureActivity(activity, () => tracing.traceActivity(activity, run)));
  return tracing;
}

/** Returns the sizes of the database and of its log of changes; none if the store is elsewhere or in memory. */
function measureStoreFiles({ storeEndpoint, dataDirectory }: LocalSettings): MetricSample[] {
  if (storeEndpoint !== undefined || dataDirectory === undefined) return [];
  const database = storeFileIn(dataDirectory);
  const files = { database, log: `${database}-wal` };
  return Object.entries(files).map(([file, path]) => ({
    labels: { file },
    value: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  }));
}
