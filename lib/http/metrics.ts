import type { RequestReport } from './request-report.ts';

/**
 * The unit of each metric of a request. How many requests there were is the number of their latencies; what the store
 * was asked for stands in the log line of each request, by its route, and costs nothing there.
 */
export const requestMetrics = { errors: 'Count', latencyMs: 'Milliseconds', warnings: 'Count' } as const;

/**
 * The dimensions of the metrics: all of them by the group of endpoints, `errors` also by the error's name. Each
 * combination is charged for, which for each of hundreds of operations would be more than all else together.
 */
export const metricDimensions = { group: 'group', error: 'error' } as const;

/** Writes the metrics of a request. */
export function sendMetrics({ durationMs, ...report }: RequestReport): void {
  writeMetrics([durationMs], report);
}

/** The most values that CloudWatch takes of a metric in one line, and how long they wait to be that many. */
const valuesMax = 100;
const gatheredMs = 60_000;

let gathered: { readonly latencies: number[]; readonly since: number } | undefined;

/**
 * Writes the metrics of a request that was answered well, together with those of others: a line for each would cost
 * more than the requests themselves. A process that ends takes up to a minute of them with it.
 */
export function gatherMetrics(durationMs: number): void {
  gathered ??= { latencies: [], since: performance.now() };
  const { latencies, since } = gathered;
  latencies.push(durationMs);
  if (latencies.length < valuesMax && performance.now() - since < gatheredMs) return;
  gathered = undefined;
  writeMetrics(latencies);
}

/**
 * Writes one line in CloudWatch's embedded metric format.
 * @param report error or warning, the same of all these requests.
 */
function writeMetrics(
  latencies: readonly number[],
  { error, warning }: Partial<Pick<RequestReport, 'error' | 'warning'>> = {},
): void {
  const { AWS_LAMBDA_FUNCTION_NAME, METRICS_NAMESPACE, METRICS_GROUP } = process.env;
  // Outside Lambda they would not be collected.
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
        // A metric is paid for where it is reported, which warnings seldom are.
        directive('group', ['errors', 'latencyMs', ...(warning === undefined ? [] : ['warnings' as const])]),
        ...(error === undefined ? [] : [directive('error', ['errors'])]),
      ],
    },
    // The stack names the group of each function.
    [metricDimensions.group]: METRICS_GROUP || 'none',
    [metricDimensions.error]: error,
    // None is counted, too, so that the average is the share of errors.
    errors: oneOrMore(latencies.map(() => (error === undefined ? 0 : 1))),
    latencyMs: oneOrMore(latencies),
    warnings: warning === undefined ? undefined : 1,
  };
  // Lambda puts its own words in front of what goes through the console, which then is no metric any more.
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function oneOrMore(values: readonly number[]): number | readonly number[] {
  return values.length === 1 ? (values[0] ?? 0) : values;
}
