import * as v from 'valibot';
import { isJsonObject } from '../values/json.ts';
import {
  count,
  name,
  nonEmptyText,
  object,
  positiveIntegerText,
  record,
  text,
  textOfLength,
  timestamp,
} from '../values/primitives.ts';

/** A report with an invalid name, such as one of 256 characters, is accepted and ignored. */
const appName = nonEmptyText;

/** The most bytes of a report. The limit is high, because an SDK that is refused never reports again. */
export const reportBytesMax = 1_048_576;

/**
 * The registration of an SDK at its start. An SDK that is refused never reports again, so everything but the name of the
 * application can be missing or of any type. Invalid values are ignored.
 */
export const clientRegistration = object({
  appName,
  instanceId: v.exactOptional(v.unknown()),
  sdkVersion: v.exactOptional(v.unknown()),
  strategies: v.exactOptional(v.unknown()),
  started: v.exactOptional(v.unknown()),
  interval: v.exactOptional(v.unknown()),
});
export type ClientRegistration = v.InferOutput<typeof clientRegistration>;

/** A time as SDKs send it: ISO 8601 with any number of fractional digits, or milliseconds. */
const reportedTime = v.pipe(
  v.union([v.string(), v.number()]),
  v.check((time) => Number.isFinite(new Date(time).getTime()), 'A time is ISO 8601, or a number of milliseconds.'),
);

/**
 * The evaluations of flags by an SDK. As on Unleash, a bucket without times or flags is refused. Invalid counts of single
 * flags are ignored. Some SDKs send no bucket if nothing was evaluated.
 */
export const clientMetrics = object({
  appName,
  instanceId: v.exactOptional(v.unknown()),
  sdkVersion: v.exactOptional(v.unknown()),
  bucket: v.exactOptional(
    v.nullable(
      object({
        start: reportedTime,
        stop: reportedTime,
        // Not v.record(), which drops a flag whose name is that of a property of all objects.
        toggles: v.pipe(v.unknown(), v.check(isJsonObject, 'An object with counts by name of flag is required.')),
      }),
    ),
  ),
  /** The impact metrics of the application. Invalid ones are ignored. */
  impactMetrics: v.exactOptional(v.unknown()),
});
export type ClientMetrics = v.InferOutput<typeof clientMetrics>;

const number = v.pipe(v.number(), v.finite());

/**
 * The metrics that a proxy has collected from many SDKs. An invalid entry must not affect the others, nor may an invalid impact metric,
 * for which Unleash refuses the whole report.
 */
export const bulkMetrics = object({
  applications: v.exactOptional(v.unknown()),
  metrics: v.exactOptional(v.unknown()),
  impactMetrics: v.exactOptional(v.unknown()),
});
export type BulkMetrics = v.InferOutput<typeof bulkMetrics>;

/** A name or a value of a label, or a name of a metric. */
const labelText = textOfLength(1, 255);
const labelsMax = 50;
const labelTextMax = 1_000;

const labels = v.pipe(
  record(textOfLength(0, 255)),
  v.check((all) => Object.keys(all).length <= labelsMax, `At most ${labelsMax} labels.`),
  v.check(
    (all) => Object.keys(all).every((label) => v.is(labelText, label)),
    'A label has a name of 1 to 255 characters.',
  ),
  v.check(
    (all) => Object.entries(all).flat().join('').length <= labelTextMax,
    `The labels of a metric have at most ${labelTextMax} characters together.`,
  ),
);

/** The custom metrics of an application (`customMetricsSchema`). */
export const customMetrics = object({
  metrics: v.pipe(
    v.array(object({ name: labelText, value: number, labels: v.exactOptional(labels) })),
    v.maxLength(1_000, 'At most 1,000 metrics at a time.'),
  ),
});
export type CustomMetrics = v.InferOutput<typeof customMetrics>;

/** A custom metric: the last value of a name with its labels, and the minute of its report. */
const customMetric = object({
  name: text,
  value: v.number(),
  labels: v.exactOptional(v.record(v.string(), v.string())),
  timestamp,
});
export type CustomMetric = v.InferOutput<typeof customMetric>;

/** The stored custom metrics of all applications. */
export const listedCustomMetrics = object({
  metrics: v.array(customMetric),
  count,
  metricNames: v.array(text),
});

/** The evaluations of a flag in an environment in one hour, by an application or by all of them. */
const usage = object({
  featureName: v.exactOptional(name),
  appName: v.exactOptional(text),
  environment: text,
  /** The beginning of the hour. */
  timestamp,
  yes: count,
  no: count,
  /** The number of times that each variant was chosen. */
  variants: v.exactOptional(v.record(v.string(), count)),
});
export type CountedUsage = v.InferOutput<typeof usage>;

/** The query for usage: the number of hours back. */
export const usageQuery = object({ hoursBack: v.exactOptional(v.pipe(positiveIntegerText, v.maxValue(720))) });

/** `featureUsageSchema` */
export const featureUsage = object({
  version: v.literal(1),
  maturity: v.literal('stable'),
  // The name in the path, which can be one that no feature can have.
  featureName: v.string(),
  lastHourUsage: v.array(usage),
  seenApplications: v.array(text),
});

/** `featureMetricsSchema` */
export const featureMetrics = object({
  version: v.literal(1),
  maturity: v.literal('stable'),
  data: v.array(usage),
});

/** An unknown flag, and the applications that requested it. */
const unknownFlag = object({
  name: text,
  lastSeenAt: timestamp,
  reports: v.array(object({ appName: text, environments: v.array(object({ environment: text, seenAt: timestamp })) })),
});
export type UnknownFlag = v.InferOutput<typeof unknownFlag>;

/** `unknownFlagsResponseSchema` */
export const unknownFlags = object({ unknownFlags: v.array(unknownFlag) });
