import * as v from 'valibot';
import { parseJson } from '../../values/json.ts';
import { object, positiveIntegerText, text } from '../../values/primitives.ts';

export type ImpactMetricType = 'counter' | 'gauge' | 'histogram';

/** The impact metrics that are known. */
export const impactMetricsMetadata = object({
  metrics: v.array(
    object({
      name: text,
      displayName: text,
      help: text,
      type: v.picklist(['counter', 'gauge', 'histogram']),
      source: v.literal('internal'),
    }),
  ),
});
export type ListedImpactMetric = v.InferOutput<typeof impactMetricsMetadata>['metrics'][number];

/** A selection of series: for each label the values that it may have; `*` allows all, and keeps them apart. */
const labelSelectors = v.pipe(
  v.string(),
  v.maxLength(10_000),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = v.safeParse(v.record(v.string(), v.array(v.string())), parseJson(dataset.value));
    if (parsed.success) return parsed.output;
    addIssue({ message: 'JSON with a list of values for each label is required, such as {"appName":["shop"]}.' });
    return NEVER;
  }),
);

/** The times up to now over which a metric is measured. */
export const metricRanges = ['hour', 'day', 'week', 'month'] as const;
/** The ways to make one number of all measurements. Percentiles need a histogram. */
export const aggregationModes = ['rps', 'count', 'sum', 'avg', 'p50', 'p95', 'p99'] as const;
export type AggregationMode = (typeof aggregationModes)[number];
export const range = v.picklist(metricRanges);
export const aggregationMode = v.picklist(aggregationModes);

export const impactMetricQuery = object({
  /** `series` is the name of this parameter on older versions of Unleash. */
  metricName: v.exactOptional(text),
  series: v.exactOptional(text),
  range,
  aggregationMode: v.exactOptional(aggregationMode, 'count'),
  labels: v.exactOptional(labelSelectors, '{}'),
  /** Seconds; whole minutes are used. */
  step: v.exactOptional(positiveIntegerText),
  source: v.exactOptional(v.picklist(['internal', 'external']), 'internal'),
});
export type ImpactMetricQuery = v.InferOutput<typeof impactMetricQuery>;

/** The values of an impact metric over time. */
export const impactMetricSeries = object({
  /** Seconds since 1970, as text. */
  start: text,
  end: text,
  /** Seconds, as text. */
  step: text,
  series: v.array(
    object({
      /** The labels that tell this series from the others. */
      metric: v.record(v.string(), v.string()),
      /** Pairs: the beginning of a step in seconds since 1970, and its value as text. */
      data: v.array(v.array(v.union([v.number(), v.string()]))),
    }),
  ),
  /** All values of each label. */
  labels: v.record(v.string(), v.array(v.string())),
});
export type ImpactMetricSeries = v.InferOutput<typeof impactMetricSeries>;
