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

/** A report while it is parsed. */
interface Parsing extends Reported {
  readonly usage: ReportedUsage[];
  dropped: number;
}

/**
 * Parses the metrics of an SDK. A bucket counts for the hour in which it ended, since a rarely used SDK keeps one open for
 * days. Invalid parts are ignored without refusing the report: an SDK that is refused never reports again.
 */
export function parseBucket(appName: string, bucket: ClientMetrics['bucket'], now: Date): Reported {
  const { stop, toggles } = bucket ?? {};
  const hour = isAppName(appName) ? parseHour(stop, now) : undefined;
  const reported: Parsing = { usage: [], dropped: 0 };
  const flags = toJsonObject(toggles);
  for (const featureName of Object.keys(flags)) {
    addUsage(reported, toJsonObject(flags[featureName]), featureName, appName, hour);
  }
  return reported;
}

/** Parses the metrics that a proxy has collected from the SDKs of an environment. */
export function parseBulkMetrics(metrics: unknown, environment: string, now: Date): Reported {
  const reported: Parsing = { usage: [], dropped: 0 };
  for (const metric of toList(metrics).map(toJsonObject)) {
    const { featureName, appName, timestamp } = metric;
    if (!isAppName(appName) || metric.environment !== environment) reported.dropped += 1;
    else addUsage(reported, metric, featureName, appName, parseHour(timestamp, now));
  }
  return reported;
}

/** Adds the evaluations of a flag to a report, unless they are invalid. */
function addUsage(
  reported: Parsing,
  { yes = 0, no = 0, variants = {} }: JsonObject,
  featureName: unknown,
  appName: string,
  hour: string | undefined,
): void {
  const isValid = hour !== undefined && typeof featureName === 'string' && isName(featureName);
  if (!isValid || !isCount(yes) || !isCount(no)) {
    reported.dropped += 1;
    return;
  }
  const all = Object.entries(toJsonObject(variants));
  const valid = all.filter((entry): entry is [string, number] => isName(entry[0]) && isCount(entry[1]));
  const chosen = valid.filter(([, count]) => count > 0).slice(0, variantsMax);
  reported.dropped += all.length - valid.length;
  if (yes + no === 0 && chosen.length === 0) return;
  reported.usage.push({ featureName, appName, hour, yes, no, variants: Object.fromEntries(chosen) });
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
