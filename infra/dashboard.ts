import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Dashboard, GraphWidget, type IMetric, type IWidget, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { memoryMegabytes } from './endpoint-function.ts';
import {
  buildApiMetric,
  buildCountMetric,
  buildTableMetric,
  period,
  searchFunctionMetrics,
  searchOwnMetrics,
} from './metrics.ts';
import { millionGigabyteMilliseconds, prices } from './prices.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

export interface DashboardProps {
  readonly api: HttpApi;
  readonly table: StoreTable;
  readonly stackName: string;
  readonly settings: Pick<StackSettings, 'architecture' | 'metricsNamespace'>;
}

/** Creates the dashboard of the service: the view of callers at the top, then resources and costs. */
export function createDashboard(scope: Construct, id: string, props: DashboardProps): Dashboard {
  const { api, table, stackName } = props;
  const { metricsNamespace } = props.settings;
  const sumOfTable = (name: string) => buildTableMetric(table, name, 'Sum');
  const metricsOfFunctions = (name: string, statistic: string) => searchFunctionMetrics(stackName, name, statistic);
  return new Dashboard(scope, id, {
    defaultInterval: Duration.days(1),
    widgets: [
      [
        createGraph('Requests by group', [searchOwnMetrics(metricsNamespace, 'latencyMs', 'SampleCount')]),
        createGraph('Errors by name', [searchOwnMetrics(metricsNamespace, 'errors', 'Sum', 'error')]),
        createGraph('Responses 4xx and 5xx, including those of the gateway', [
          buildApiMetric(api, '4xx', 'Sum'),
          buildApiMetric(api, '5xx', 'Sum'),
        ]),
      ],
      [
        createGraph('Latency for callers (ms)', [
          buildApiMetric(api, 'Latency', 'p50', 'p50'),
          buildApiMetric(api, 'Latency', 'p99', 'p99'),
        ]),
        createGraph('p50 by group (ms)', [searchOwnMetrics(metricsNamespace, 'latencyMs', 'p50')]),
        createGraph('p99 by group (ms)', [searchOwnMetrics(metricsNamespace, 'latencyMs', 'p99')]),
      ],
      [
        createGraph('Failed requests: 5xx and crashes, including the function URLs of SDKs', [
          buildCountMetric(metricsNamespace, 'serverErrors'),
          buildCountMetric(metricsNamespace, 'crashes'),
        ]),
        createGraph('Calls throttled by Lambda', [metricsOfFunctions('Throttles', 'Sum')]),
        createGraph('Concurrent executions', [metricsOfFunctions('ConcurrentExecutions', 'Maximum')]),
      ],
      [
        createGraph('Consumed capacity of the table', [
          sumOfTable('ConsumedReadCapacityUnits'),
          sumOfTable('ConsumedWriteCapacityUnits'),
        ]),
        createGraph('Throttled requests of the table', [
          sumOfTable('ReadThrottleEvents'),
          sumOfTable('WriteThrottleEvents'),
        ]),
        createGraph('Cost of a million requests (US dollars)', [costOfMillionRequests(props)]),
      ],
      [
        createGraph('Errors by group', [searchOwnMetrics(metricsNamespace, 'errors', 'Sum')]),
        createGraph('Warnings by group', [searchOwnMetrics(metricsNamespace, 'warnings', 'Sum')]),
        createGraph('Share of errors by group', [searchOwnMetrics(metricsNamespace, 'errors', 'Average')]),
      ],
    ],
  });
}

function createGraph(title: string, left: IMetric[]): IWidget {
  return new GraphWidget({ title, left, width: 8, leftYAxis: { min: 0, showUnits: false } });
}

/**
 * Returns the cost of a million requests, from the consumption in the same five minutes: units of the table, time of the
 * functions, and the two fees per request. Logs, metrics and storage are not included.
 */
function costOfMillionRequests({ api, table, settings }: DashboardProps): MathExpression {
  const gigabytes = memoryMegabytes / 1024;
  const functionTime = searchOwnMetrics(settings.metricsNamespace, 'latencyMs', 'Sum').expression;
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
      reads: buildTableMetric(table, 'ConsumedReadCapacityUnits', 'Sum'),
      writes: buildTableMetric(table, 'ConsumedWriteCapacityUnits', 'Sum'),
      requests: buildApiMetric(api, 'Count', 'SampleCount'),
    },
  });
}
