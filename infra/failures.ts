import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { failedIntegration } from './access-log.ts';
import { crashMetric, serverErrorMetric } from './metrics.ts';
import type { StackSettings } from './settings.ts';

type Namespace = Pick<StackSettings, 'metricsNamespace'>;

/** Counts the failed requests to the API: answers with 5xx, and functions that did not answer. */
export function countFailuresOfApi(scope: Construct, accessLogs: ILogGroup, settings: Namespace): void {
  countFailures(scope, accessLogs, settings, {
    serverErrors: FilterPattern.stringValue('$.status', '=', '5*'),
    crashes: FilterPattern.stringValue(failedIntegration.field, '!=', failedIntegration.absent),
  });
}

/**
 * Counts the failed requests to the URL of a function, which has no access log: the lines that it writes itself,
 * and those that Lambda writes of a call that was not answered. A request that came by the API counts there as well.
 */
export function countFailuresOfUrl(scope: Construct, logs: ILogGroup, settings: Namespace): void {
  countFailures(scope, logs, settings, {
    serverErrors: FilterPattern.numberValue('$.status', '>=', 500),
    crashes: crashed,
  });
}

/** Counts events that are sent to no integration any more, and the crashes of the function that sends them. */
export function countFailuresOfSending(scope: Construct, logs: ILogGroup, { metricsNamespace }: Namespace): void {
  const common = { logGroup: logs, metricNamespace: metricsNamespace };
  new MetricFilter(scope, 'CountedGivenUp', {
    ...common,
    metricName: 'givenUp',
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.message', '=', 'Integration'),
      FilterPattern.stringValue('$.level', '=', 'ERROR'),
    ),
  });
  countCrashes(scope, logs, { metricsNamespace });
}

/** Counts the crashes of a function that answers no caller. */
export function countCrashes(scope: Construct, logGroup: ILogGroup, { metricsNamespace }: Namespace): void {
  const { metricName } = crashMetric(metricsNamespace);
  const counted = { logGroup, metricNamespace: metricsNamespace, metricName, filterPattern: crashed };
  new MetricFilter(scope, 'CountedCrashes', counted);
}

/** A line of Lambda's own about a call that was not answered. */
const crashed = FilterPattern.all(
  FilterPattern.stringValue('$.type', '=', 'platform.report'),
  FilterPattern.stringValue('$.record.status', '!=', 'success'),
);

/** Without a line that fits there is no metric to pay. */
function countFailures(
  scope: Construct,
  logGroup: ILogGroup,
  { metricsNamespace }: Namespace,
  patterns: { readonly serverErrors: IFilterPattern; readonly crashes: IFilterPattern },
): void {
  for (const [id, filterPattern, { metricName }] of [
    ['CountedServerErrors', patterns.serverErrors, serverErrorMetric(metricsNamespace)],
    ['CountedCrashes', patterns.crashes, crashMetric(metricsNamespace)],
  ] as const) {
    new MetricFilter(scope, id, { logGroup, filterPattern, metricNamespace: metricsNamespace, metricName });
  }
}
