import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { failedIntegration } from './logs.ts';
import type { CountedMetric } from './metrics.ts';
import type { StackSettings } from './settings.ts';

type Namespace = Pick<StackSettings, 'metricsNamespace'>;

/** Counts the failed requests to the API: answers with 5xx, and functions that did not answer. */
export function countFailuresOfApi(scope: Construct, accessLogs: ILogGroup, settings: Namespace): void {
  const crashes = FilterPattern.stringValue(failedIntegration.field, '!=', failedIntegration.absent);
  addFilter(scope, accessLogs, settings, 'serverErrors', FilterPattern.stringValue('$.status', '=', '5*'));
  addFilter(scope, accessLogs, settings, 'crashes', crashes);
}

/**
 * Counts the failed requests to a function URL, which has no access log, by the function's own lines and by Lambda's lines for
 * calls without an answer. Requests that come through the API are counted as well.
 */
export function countFailuresOfUrl(scope: Construct, logs: ILogGroup, settings: Namespace): void {
  addFilter(scope, logs, settings, 'serverErrors', FilterPattern.numberValue('$.status', '>=', 500));
  countCrashes(scope, logs, settings);
}

/** Counts the events that the sending function gives up, and its crashes. */
export function countFailuresOfSending(scope: Construct, logs: ILogGroup, settings: Namespace): void {
  const givenUp = FilterPattern.all(
    FilterPattern.stringValue('$.message', '=', 'Integration'),
    FilterPattern.stringValue('$.level', '=', 'ERROR'),
  );
  addFilter(scope, logs, settings, 'givenUp', givenUp);
  countCrashes(scope, logs, settings);
}

/** Counts the crashes of a function that serves no requests. */
export function countCrashes(scope: Construct, logs: ILogGroup, settings: Namespace): void {
  // Lambda's own line for a call that failed.
  const crashed = FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'platform.report'),
    FilterPattern.stringValue('$.record.status', '!=', 'success'),
  );
  addFilter(scope, logs, settings, 'crashes', crashed);
}

/** Adds a metric filter. A metric without matching lines costs nothing. */
function addFilter(
  scope: Construct,
  logGroup: ILogGroup,
  { metricsNamespace: metricNamespace }: Namespace,
  metricName: CountedMetric | 'givenUp',
  filterPattern: IFilterPattern,
): void {
  const id = `Counted${metricName[0]?.toUpperCase()}${metricName.slice(1)}`;
  new MetricFilter(scope, id, { logGroup, filterPattern, metricNamespace, metricName });
}
