import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Dashboard, GraphWidget, type IMetric, type IWidget, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { memoryMegabytes } from './endpoint-function.ts';
import { apiMetric, buildCountMetric, functionMetrics, ownMetrics, period, tableMetric } from './metrics.ts';
import { millionGigabyteMilliseconds, prices } from './prices.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

export interface DashboardProps {
  readonly api: HttpApi;
  readonly table: StoreTable;
  readonly stackName: string;
  readonly settings: Pick<StackSettings, 'architecture' | 'metricsNamespace'>;
}

/** Creates the dashboard of the service, from what callers see at the top to resources and costs at the bottom. */
export function createDashboard(scope: Construct, id: string, props: DashboardProps): Dashboard {
  const { api, table, stackName } = props;
  const { metricsNamespace } = props.settings;
  const ofTable = (name: string) => tableMetric(table, name, 'Sum');
  const ofFunctions = (name: string, statistic: string) => functionMetrics(stackName, name, statistic);
  return new Dashboard(scope, id, {
    defaultInterval: Duration.days(1),
    widgets: [
      [
        graph('Requests by group', [ownMetrics(metricsNamespace, 'latencyMs', 'SampleCount')]),
        graph('Errors by name', [ownMetrics(metricsNamespace, 'errors', 'Sum', 'error')]),
        graph('Responses 4xx and 5xx, with those of the gateway', [
          apiMetric(api, '4xx', 'Sum'),
          apiMetric(api, '5xx', 'Sum'),
        ]),
      ],
      [
        graph('Latency for callers (ms)', [
          apiMetric(api, 'Latency', 'p50', 'p50'),
          apiMetric(api, 'Latency', 'p99', 'p99'),
        ]),
        graph('p50 by group (ms)', [ownMetrics(metricsNamespace, 'latencyMs', 'p50')]),
        graph('p99 by group (ms)', [ownMetrics(metricsNamespace, 'latencyMs', 'p99')]),
      ],
      [
        graph('Failed requests: 5xx and crashes, with those to the URLs of SDKs', [
          buildCountMetric(metricsNamespace, 'serverErrors'),
          buildCountMetric(metricsNamespace, 'crashes'),
        ]),
        graph('Calls that Lambda refused', [ofFunctions('Throttles', 'Sum')]),
        graph('Concurrent executions', [ofFunctions('ConcurrentExecutions', 'Maximum')]),
      ],
      [
        graph('Consumed capacity of the table', [
          ofTable('ConsumedReadCapacityUnits'),
          ofTable('ConsumedWriteCapacityUnits'),
        ]),
        graph('Throttled requests of the table', [ofTable('ReadThrottleEvents'), ofTable('WriteThrottleEvents')]),
        graph('Cost of a million requests (US dollars)', [costOfMillionRequests(props)]),
      ],
      [
        graph('Errors by group', [ownMetrics(metricsNamespace, 'errors', 'Sum')]),
        graph('Warnings by group', [ownMetrics(metricsNamespace, 'warnings', 'Sum')]),
        graph('Share of errors by group', [ownMetrics(metricsNamespace, 'errors', 'Average')]),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[]): IWidget {
  return new GraphWidget({ title, left, width: 8, leftYAxis: { min: 0, showUnits: false } });
}

/**
 * Returns the cost of a million requests, by those of the same five minutes: the table's units, the functions' time and
 * the two fees for each request. Logs, metrics and storage come on top of it.
 */
function costOfMillionRequests({ api, table, settings }: DashboardProps): MathExpression {
  const gigabytes = memoryMegabytes / 1024;
  const functionTime = ownMetrics(settings.metricsNamespace, 'latencyMs', 'Sum').expression;
  const costs = [
    `reads * ${prices.millionReadUnits}`,
    `writes * ${prices.millionWriteUnits}`,
    `SUM(${functionTime}) * ${gigabytes * millionGigabyteMilliseconds(settings)}`,
  ];
  const fees = prices.millionGatewayRequests + prices.millionFunctionRequests;
  return new MathExpression({
    expression: `(${costs.join(' + ')}) / requests + ${fees}`,
    label: 'US dollars',
    period,
    usingMetrics: {
      reads: tableMetric(table, 'ConsumedReadCapacityUnits', 'Sum'),
      writes: tableMetric(table, 'ConsumedWriteCapacityUnits', 'Sum'),
      requests: apiMetric(api, 'Count', 'SampleCount'),
    },
  });
}
