import * as v from 'valibot';
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

/** Of one that cannot be, such as one of 256 characters, nothing is kept; it is no reason to refuse a report. */
const appName = nonEmptyText;

/** A report of so many bytes is taken: an SDK that is refused never reports again. */
export const reportBytesMax = 1_048_576;

/**
 * The registration of an SDK at its start. SDKs that are refused never report again, so that everything but the name of
 * the application may be missing or of any type; what cannot be understood is left out.
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

/** The evaluations of flags by an SDK; as tolerant as a registration. */
export const clientMetrics = object({
  appName,
  instanceId: v.exactOptional(v.unknown()),
  sdkVersion: v.exactOptional(v.unknown()),
  bucket: v.exactOptional(v.unknown()),
});
export type ClientMetrics = v.InferOutput<typeof clientMetrics>;

/** The metrics that a proxy has collected from many SDKs; as tolerant as they are. */
export const bulkMetrics = object({
  applications: v.exactOptional(v.unknown()),
  metrics: v.exactOptional(v.unknown()),
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
    (all) => Object.keys(all).every((each) => v.is(labelText, each)),
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
    v.array(object({ name: labelText, value: v.pipe(v.number(), v.finite()), labels: v.exactOptional(labels) })),
    v.maxLength(1_000, 'At most 1,000 metrics at once.'),
  ),
});
export type CustomMetrics = v.InferOutput<typeof customMetrics>;

/** A custom metric of an application: the last value of a name with its labels, and the minute in which it was reported. */
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
  // As it was asked for, whether a feature can bear such a name or not.
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

/** A flag that is not there, and who has asked for it. */
const unknownFlag = object({
  name: text,
  lastSeenAt: timestamp,
  reports: v.array(object({ appName: text, environments: v.array(object({ environment: text, seenAt: timestamp })) })),
});
export type UnknownFlag = v.InferOutput<typeof unknownFlag>;

/** `unknownFlagsResponseSchema` */
export const unknownFlags = object({ unknownFlags: v.array(unknownFlag) });
