import type { HourOfUsage } from '../features/use/feature-usage.ts';
import { isJsonObject, type JsonObject, toList } from '../values/json.ts';
import { isName } from '../values/primitives.ts';
import type { ClientMetrics } from './client-metrics-schema.ts';

/** The evaluations of a flag by an application within an hour. */
export interface ReportedUsage extends Omit<HourOfUsage, 'environment' | 'timestamp'> {
  /** The beginning of the hour, as in `2026-11-22T09`. */
  readonly hour: string;
}

/** The most hours between a report and now. A larger difference means a wrong clock, or Java's idle interval with a date of 1970. */
const hoursOffMax = 24;
const hourMs = 60 * 60 * 1_000;
/** The most variants per feature in a report; others are ignored. */
const variantsMax = 100;

/** The valid content of a report, and the number of its invalid parts, which are ignored. */
export interface Reported {
  readonly usage: readonly ReportedUsage[];
  readonly dropped: number;
}

/**
 * Parses the metrics of an SDK. A bucket counts for the hour in which it ended, since a rarely used SDK keeps one open for
 * days. Invalid parts are ignored without refusing the report: an SDK that is refused never reports again.
 */
export function parseBucket(appName: string, bucket: ClientMetrics['bucket'], now: Date): Reported {
  const { stop, toggles } = bucket ?? {};
  const hour = isAppName(appName) ? parseHour(stop, now) : undefined;
  return merge(
    Object.entries(toJsonObject(toggles)).map(([featureName, counts]) =>
      parseUsage(toJsonObject(counts), featureName, appName, hour),
    ),
  );
}

/** Parses the metrics that a proxy has collected from the SDKs of an environment. */
export function parseBulkMetrics(metrics: unknown, environment: string, now: Date): Reported {
  return merge(
    toList(metrics).map((entry) => {
      const metric = toJsonObject(entry);
      const { featureName, appName, timestamp } = metric;
      if (!isAppName(appName) || metric.environment !== environment) return invalidPart;
      return parseUsage(metric, featureName, appName, parseHour(timestamp, now));
    }),
  );
}

function merge(parts: readonly Reported[]): Reported {
  return {
    usage: parts.flatMap(({ usage }) => usage),
    dropped: parts.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

const emptyPart: Reported = { usage: [], dropped: 0 };
const invalidPart: Reported = { usage: [], dropped: 1 };

function parseUsage(
  { yes = 0, no = 0, variants = {} }: JsonObject,
  featureName: unknown,
  appName: string,
  hour: string | undefined,
): Reported {
  if (hour === undefined || typeof featureName !== 'string' || !isName(featureName)) return invalidPart;
  if (!isCount(yes) || !isCount(no)) return invalidPart;
  const all = Object.entries(toJsonObject(variants));
  const valid = all.filter((entry): entry is [string, number] => isName(entry[0]) && isCount(entry[1]));
  const chosen = valid.filter(([, count]) => count > 0).slice(0, variantsMax);
  const dropped = all.length - valid.length;
  if (yes + no === 0 && chosen.length === 0) return { ...emptyPart, dropped };
  return { usage: [{ featureName, appName, hour, yes, no, variants: Object.fromEntries(chosen) }], dropped };
}

/** Parses a time in ISO 8601 or milliseconds, and returns its hour; undefined for an invalid or distant time. */
function parseHour(time: unknown, now: Date): string | undefined {
  if (typeof time !== 'string' && typeof time !== 'number') return undefined;
  const at = new Date(time).getTime();
  if (!(Math.abs(at - now.getTime()) <= hoursOffMax * hourMs)) return undefined;
  return new Date(at).toISOString().slice(0, 13);
}

/** The most bytes of an application's name: keys of the store contain it together with two other names. */
const appNameBytesMax = 800;

/** Tells whether a value can be the name of an application. */
export function isAppName(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[^\0]{1,255}$/su.test(value) || !value.isWellFormed()) return false;
  return Buffer.byteLength(value) <= appNameBytesMax;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns the value if it is a JSON object; otherwise an empty object. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
