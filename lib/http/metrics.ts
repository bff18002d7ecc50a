import type { RequestReport } from './request-report.ts';

/**
 * The units of the metrics of a request. The number of requests is that of the latencies. Calls of the store are in the log line of
 * each request, by route, where they cost nothing more.
 */
export const requestMetrics = { errors: 'Count', latencyMs: 'Milliseconds', warnings: 'Count' } as const;

/**
 * The dimensions of the metrics: the group of endpoints, and for `errors` also the name of the error. Each combination is billed, so
 * a dimension for each of hundreds of operations would cost more than everything else together.
 */
export const metricDimensions = { group: 'group', error: 'error' } as const;

/** Writes the metrics of a request. */
export function sendMetrics({ durationMs, ...report }: RequestReport): void {
  writeMetrics([durationMs], report);
}

/** The maximum number of values per metric and line in CloudWatch, and the time for which values are collected. */
const maxValues = 100;
const collectionMs = 60_000;

let collected: { readonly latencies: number[]; readonly since: number } | undefined;

/**
 * Writes the metrics of successful requests, many in one line: a line for each would cost more than the requests themselves. A process
 * that ends loses up to a minute of them.
 */
export function collectMetrics(durationMs: number): void {
  collected ??= { latencies: [], since: performance.now() };
  const { latencies, since } = collected;
  latencies.push(durationMs);
  if (latencies.length < maxValues && performance.now() - since < collectionMs) return;
  collected = undefined;
  writeMetrics(latencies);
}

/**
 * Writes one line in CloudWatch's embedded metric format.
 * @param report the error or warning, which applies to all these requests.
 */
function writeMetrics(
  latencies: readonly number[],
  { error, warning }: Partial<Pick<RequestReport, 'error' | 'warning'>> = {},
): void {
  const { AWS_LAMBDA_FUNCTION_NAME, METRICS_NAMESPACE, METRICS_GROUP } = process.env;
  // Outside of Lambda, nothing collects them.
  if (AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  const directive = (dimension: keyof typeof metricDimensions, metrics: readonly (keyof typeof requestMetrics)[]) => ({
    Namespace: METRICS_NAMESPACE || 'Flagstaff',
    Dimensions: [[metricDimensions[dimension]]],
    Metrics: metrics.map((Name) => ({ Name, Unit: requestMetrics[Name] })),
  });
  const line = {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        // A metric is billed only in periods in which it is reported, and warnings are rare.
        directive('group', ['errors', 'latencyMs', ...(warning === undefined ? [] : ['warnings' as const])]),
        ...(error === undefined ? [] : [directive('error', ['errors'])]),
      ],
    },
    // The stack sets the group of each function.
    [metricDimensions.group]: METRICS_GROUP || 'none',
    [metricDimensions.error]: error,
    // 0 is written, too, so that the average is the share of errors.
    errors: oneOrMore(latencies.map(() => (error === undefined ? 0 : 1))),
    latencyMs: oneOrMore(latencies),
    warnings: warning === undefined ? undefined : 1,
  };
  // Lambda adds a prefix to lines of the console, and CloudWatch would no longer recognise the metric.
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function oneOrMore(values: readonly number[]): number | readonly number[] {
  return values.length === 1 ? (values[0] ?? 0) : values;
}
