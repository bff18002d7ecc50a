import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { failedIntegration } from './access-log.ts';
import type { CountedMetric } from './metrics.ts';
import type { StackSettings } from './settings.ts';

type Namespace = Pick<StackSettings, 'metricsNamespace'>;

/** Counts the failed requests to the API: answers with 5xx, and functions that did not answer. */
export function countFailuresOfApi(scope: Construct, accessLogs: ILogGroup, settings: Namespace): void {
  const crashes = FilterPattern.stringValue(failedIntegration.field, '!=', failedIntegration.absent);
  count(scope, accessLogs, settings, 'serverErrors', FilterPattern.stringValue('$.status', '=', '5*'));
  count(scope, accessLogs, settings, 'crashes', crashes);
}

/**
 * Counts the failed requests to the URL of a function, which has no access log: the lines that it writes itself,
 * and those that Lambda writes of a call that was not answered. A request that came by the API counts there as well.
 */
export function countFailuresOfUrl(scope: Construct, logs: ILogGroup, settings: Namespace): void {
  count(scope, logs, settings, 'serverErrors', FilterPattern.numberValue('$.status', '>=', 500));
  countCrashes(scope, logs, settings);
}

/** Counts events that are sent to no integration any more, and the crashes of the function that sends them. */
export function countFailuresOfSending(scope: Construct, logs: ILogGroup, settings: Namespace): void {
  const givenUp = FilterPattern.all(
    FilterPattern.stringValue('$.message', '=', 'Integration'),
    FilterPattern.stringValue('$.level', '=', 'ERROR'),
  );
  count(scope, logs, settings, 'givenUp', givenUp);
  countCrashes(scope, logs, settings);
}

/** Counts the crashes of a function that answers no caller. */
export function countCrashes(scope: Construct, logs: ILogGroup, settings: Namespace): void {
  // A line of Lambda's own about a call that was not answered.
  const crashed = FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'platform.report'),
    FilterPattern.stringValue('$.record.status', '!=', 'success'),
  );
  count(scope, logs, settings, 'crashes', crashed);
}

/** Without a line that fits there is no metric to pay. */
function count(
  scope: Construct,
  logGroup: ILogGroup,
  { metricsNamespace: metricNamespace }: Namespace,
  metricName: CountedMetric | 'givenUp',
  filterPattern: IFilterPattern,
): void {
  const id = `Counted${metricName[0]?.toUpperCase()}${metricName.slice(1)}`;
  new MetricFilter(scope, id, { logGroup, filterPattern, metricNamespace, metricName });
}
