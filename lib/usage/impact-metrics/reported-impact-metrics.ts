import { toList } from '../../values/json.ts';
import { toJsonObject } from '../reported-usage.ts';
import type { ImpactMetricType } from './impact-metrics-schema.ts';

/** The measurements of an SDK for one set of labels since its last report. */
export interface ReportedSample {
  /** JSON: pairs of a name and a value, sorted by name. */
  readonly labels: string;
  /** The increase of a counter, or the value of a gauge. */
  readonly value?: number;
  readonly observations?: Observations;
}

/** The observations of a histogram. */
export interface Observations {
  readonly sum: number;
  /** The number of observations by the bucket that each is in: above the bound before, and at most its own bound. */
  readonly counts: ReadonlyMap<number, number>;
}

/** An impact metric in a report. */
export interface ReportedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: ImpactMetricType;
  readonly samples: readonly ReportedSample[];
}

/** The labels of a sample without any. */
export const noLabels = '[]';

/** The most metrics, and samples of all metrics, of a report; others are ignored. */
const reportedMetricsMax = 1_000;
const samplesMax = 10_000;
/** The most characters of a name, a value of a label, a help text, and all labels of a sample. */
const nameMax = 100;
const labelValueMax = 100;
const helpMax = 200;
const labelsTextMax = 1_000;
/** The most labels and buckets that are looked at in a sample. */
const labelsMax = 50;
const bucketsMax = 200;
/** Larger numbers are ignored: their sums would need more digits than the store has. */
const numberMax = 1e15;
const decimals = 9;

/**
 * Parses the impact metrics of a report. An invalid part is ignored without refusing the report: an SDK that is refused never
 * reports again. As on Unleash, invalid characters of names become underscores.
 * @param environment that of the token. It replaces the label of this name, so that nobody reports for another environment.
 */
export function parseImpactMetrics(reported: unknown, environment: string): ReportedMetric[] {
  let samplesLeft = samplesMax;
  return toList(reported)
    .slice(0, reportedMetricsMax)
    .map(toJsonObject)
    .flatMap(({ name, help, type, samples }) => {
      const validName = toName(name);
      if (validName === undefined || typeof help !== 'string' || !isType(type)) return [];
      const counted = toList(samples).slice(0, samplesLeft);
      samplesLeft -= counted.length;
      const parsed = counted.flatMap((sample) => parseSample(type, toJsonObject(sample), environment) ?? []);
      return parsed.length === 0 ? [] : [{ name: validName, help: toText(help, helpMax), type, samples: parsed }];
    });
}

function isType(type: unknown): type is ImpactMetricType {
  return type === 'counter' || type === 'gauge' || type === 'histogram';
}

function parseSample(
  type: ImpactMetricType,
  sample: Readonly<Record<string, unknown>>,
  environment: string,
): ReportedSample | undefined {
  const labels = parseLabels(sample.labels, environment);
  if (type === 'histogram') {
    const observations = parseObservations(sample);
    return observations && { labels, observations };
  }
  const value = toNumber(sample.value);
  const isValid = value !== undefined && (type === 'gauge' || value >= 0);
  return isValid ? { labels, value } : undefined;
}

function parseLabels(labels: unknown, environment: string): string {
  const pairs = new Map<string, string>();
  let length = 0;
  for (const [label, value] of Object.entries(toJsonObject(labels)).slice(0, labelsMax)) {
    const name = toName(label);
    const isValid = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    // `le` is the label of a bucket.
    if (name === undefined || name === 'le' || !isValid) continue;
    const text = name === 'environment' ? environment : toText(String(value), labelValueMax);
    length += name.length + text.length;
    if (length <= labelsTextMax) pairs.set(name, text);
  }
  return JSON.stringify([...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses the buckets of a histogram, each of which counts the observations up to its bound. */
function parseObservations({ count, sum, buckets }: Readonly<Record<string, unknown>>): Observations | undefined {
  const [total, validSum] = [toNumber(count), toNumber(sum)];
  if (total === undefined || total < 0 || validSum === undefined || !Array.isArray(buckets)) return undefined;
  const upTo = new Map<number, number>();
  for (const { le, count: reached } of buckets.slice(0, bucketsMax).map(toJsonObject)) {
    const [bound, number] = [toNumber(le), toNumber(reached)];
    if (bound !== undefined && number !== undefined) upTo.set(bound, number);
  }
  const counts = new Map<number, number>();
  let before = 0;
  for (const [bound, number] of [...upTo].toSorted(([a], [b]) => a - b)) {
    const reached = Math.min(Math.max(number, before), total);
    counts.set(bound, reached - before);
    before = reached;
  }
  return { sum: validSum, counts: counts.set(Number.POSITIVE_INFINITY, total - before) };
}

/** Returns a number that the store can add up; undefined for another value. */
function toNumber(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(Math.abs(value) <= numberMax)) return undefined;
  // The addition turns -0 into 0.
  return Number(value.toFixed(decimals)) + 0;
}

/** Returns a name that Prometheus accepts; undefined if there is none. */
function toName(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > nameMax) return undefined;
  const name = text.replace(/\W/g, '_');
  return /^(?!__)[A-Za-z_]/.test(name) ? name : undefined;
}

function toText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).toWellFormed().replaceAll('\0', '');
}
