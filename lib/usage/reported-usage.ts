import type { HourOfUsage } from '../features/use/feature-usage.ts';
import { isJsonObject, type JsonObject, toList } from '../values/json.ts';
import { isName } from '../values/primitives.ts';
import type { ClientMetrics } from './client-metrics-schema.ts';

/** The evaluations of a flag by an application within an hour. */
export interface ReportedUsage extends Omit<HourOfUsage, 'environment' | 'timestamp'> {
  /** The beginning of the hour, as in `2026-11-22T09`. */
  readonly hour: string;
}

/**
 * The most hours between a report and now. A larger distance is a wrong clock, or an idle interval that Java dates
 * 1970.
 */
const hoursOffMax = 24;
const hourMs = 60 * 60 * 1_000;
/** More variants than a feature can have in a strategy are no report. */
const variantsMax = 100;

/** The content of a report, and the number of its parts that were left out because they cannot be right. */
export interface Reported {
  readonly usage: readonly ReportedUsage[];
  readonly dropped: number;
}

/**
 * Returns the metrics of one SDK, in hours. A bucket belongs to the hour in which it ended: an SDK that is rarely used
 * keeps one open for days. Whatever cannot be right is left out, and only that: an SDK that is refused
 * never reports again.
 */
export function usageInBucket(appName: string, bucket: ClientMetrics['bucket'], now: Date): Reported {
  const { stop, toggles } = bucket ?? {};
  const hour = isAppName(appName) ? hourOf(stop, now) : undefined;
  return joined(
    Object.entries(recordOf(toggles)).map(([featureName, counts]) =>
      usageOf(recordOf(counts), featureName, appName, hour),
    ),
  );
}

/** Returns the metrics of a proxy, which collects those of the SDKs of an environment. */
export function usageInBulk(metrics: unknown, environment: string, now: Date): Reported {
  return joined(
    toList(metrics).map((entry) => {
      const sent = recordOf(entry);
      const { featureName, appName, timestamp } = sent;
      if (!isAppName(appName) || sent.environment !== environment) return absurd;
      return usageOf(sent, featureName, appName, hourOf(timestamp, now));
    }),
  );
}

function joined(parts: readonly Reported[]): Reported {
  return {
    usage: parts.flatMap(({ usage }) => usage),
    dropped: parts.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

const nothing: Reported = { usage: [], dropped: 0 };
const absurd: Reported = { usage: [], dropped: 1 };

function usageOf(
  { yes = 0, no = 0, variants = {} }: JsonObject,
  featureName: unknown,
  appName: string,
  hour: string | undefined,
): Reported {
  if (hour === undefined || typeof featureName !== 'string' || !isName(featureName)) return absurd;
  if (!isCount(yes) || !isCount(no)) return absurd;
  const all = Object.entries(recordOf(variants));
  const good = all.filter((entry): entry is [string, number] => isName(entry[0]) && isCount(entry[1]));
  const chosen = good.filter(([, count]) => count > 0).slice(0, variantsMax);
  const dropped = all.length - good.length;
  if (yes + no === 0 && chosen.length === 0) return { ...nothing, dropped };
  return { usage: [{ featureName, appName, hour, yes, no, variants: Object.fromEntries(chosen) }], dropped };
}

/** The hour of a time, as ISO 8601 with any number of fractional digits or in milliseconds; none for one that is far off. */
function hourOf(time: unknown, now: Date): string | undefined {
  if (typeof time !== 'string' && typeof time !== 'number') return undefined;
  const at = new Date(time).getTime();
  if (!(Math.abs(at - now.getTime()) <= hoursOffMax * hourMs)) return undefined;
  return new Date(at).toISOString().slice(0, 13);
}

/** As much of a key as the name of an application may take: it stands in keys beside two other names. */
const appNameBytesMax = 800;

export function isAppName(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[^\0]{1,255}$/su.test(value) || !value.isWellFormed()) return false;
  return Buffer.byteLength(value) <= appNameBytesMax;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function recordOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
