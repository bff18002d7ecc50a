import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { RequestReport } from './request-report.ts';

/** Under which CloudWatch lists the metrics. */
export const metricsNamespace = 'Flagstaff';

/** The name and the unit of each metric of a request. */
export const requestMetrics = {
  requests: MetricUnit.Count,
  errors: MetricUnit.Count,
  latencyMs: MetricUnit.Milliseconds,
  storeRoundTrips: MetricUnit.Count,
  consumedReadUnits: MetricUnit.Count,
  consumedWriteUnits: MetricUnit.Count,
} as const;

type MetricName = keyof typeof requestMetrics;

/** By what the metrics are told apart: all of them by operation, which is the route, `errors` also by the error's name. */
export const metricDimensions = { operation: 'operation', error: 'error' } as const;

let opened: Metrics | undefined;

function openMetrics(): Metrics {
  if (opened === undefined) {
    opened = new Metrics({ namespace: metricsNamespace });
    // Powertools adds a dimension of its own, the same for all, by which a metric would have to be asked for.
    opened.clearDefaultDimensions();
  }
  return opened;
}

/**
 * Writes the metrics of a request as one line in CloudWatch's embedded metric format. Elsewhere than in Lambda nobody
 * would collect them.
 */
export function sendMetrics(report: RequestReport): void {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  const metrics = openMetrics();
  metrics.addDimension(metricDimensions.operation, report.route);
  for (const [name, value] of Object.entries(valuesOf(report))) {
    metrics.addMetric(name, requestMetrics[name as MetricName], value);
  }
  const line = metrics.serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  if (report.error !== undefined) {
    // Powertools would tell every metric apart by every set of dimensions, and each combination is one to be paid for.
    line._aws.CloudWatchMetrics.push({
      Namespace: metricsNamespace,
      Dimensions: [[metricDimensions.error]],
      Metrics: [{ Name: 'errors', Unit: requestMetrics.errors }],
    });
  }
  // Lambda puts its own words in front of what goes through the console, which then is no metric any more.
  process.stdout.write(`${JSON.stringify({ ...line, [metricDimensions.error]: report.error })}\n`);
}

function valuesOf(report: RequestReport): Record<MetricName, number> {
  const { durationMs, error, storeRoundTrips, consumedReadUnits, consumedWriteUnits } = report;
  return {
    requests: 1,
    // None is counted, too, so that the average is the share of errors.
    errors: error === undefined ? 0 : 1,
    latencyMs: durationMs,
    storeRoundTrips,
    consumedReadUnits,
    consumedWriteUnits,
  };
}
