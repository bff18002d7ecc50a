import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { apiMetric, lambdaMetric, tableMetric } from './metrics.ts';
import type { Settings } from './settings.ts';

export interface AlarmsProps {
  readonly api: HttpApi;
  readonly table: Table;
  readonly topic: ITopic;
  readonly settings: Pick<Settings, 'concurrencyLimit'>;
}

interface AlarmKind {
  readonly metric: IMetric;
  /** It alarms when the metric reaches this, in this many periods of five minutes on end. */
  readonly threshold: number;
  readonly periods: number;
  readonly description: string;
}

/** What tells an operator that callers are not served as they should be, or soon will not be. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { api, table, topic, settings }: AlarmsProps) {
    super(scope, id);
    const kinds: Record<string, AlarmKind> = {
      ServerErrors: {
        metric: apiMetric(api, '5xx', 'Sum'),
        // A single 503 under load is answered by a client that tries again.
        threshold: 5,
        periods: 1,
        description: 'The API answered 5xx five times or more in five minutes. The access log has their request ids.',
      },
      Latency: {
        metric: apiMetric(api, 'Latency', 'p99'),
        // A cold start with a large import stays below it, and so few calls that one is their p99 do not last.
        threshold: 3000,
        periods: 3,
        description: 'One call in a hundred took three seconds or more, for a quarter of an hour.',
      },
      FunctionThrottles: {
        // Of all functions of the region, ours or not: they share the account's concurrency.
        metric: lambdaMetric('Throttles', 'Sum'),
        threshold: 1,
        periods: 1,
        description:
          'Lambda refused calls in this region: its concurrency was used up, or that reserved to a function.',
      },
      FunctionConcurrency: {
        metric: lambdaMetric('ConcurrentExecutions', 'Maximum'),
        threshold: Math.ceil(settings.concurrencyLimit * 0.8),
        periods: 1,
        description: `The functions of this region use four fifths of the ${settings.concurrencyLimit} executions that the account may have at once.`,
      },
      TableReadThrottles: {
        metric: tableMetric(table, 'ReadThrottleEvents', 'Sum'),
        // The client tries again, so that callers notice only what goes on.
        threshold: 10,
        periods: 1,
        description: 'DynamoDB refused ten reads or more in five minutes.',
      },
      TableWriteThrottles: {
        metric: tableMetric(table, 'WriteThrottleEvents', 'Sum'),
        threshold: 10,
        periods: 1,
        description: 'DynamoDB refused ten writes or more in five minutes: look for an item that all writers share.',
      },
    };
    for (const [name, kind] of Object.entries(kinds)) createAlarm(this, name, kind, topic);
  }
}

/** An alarm on a function that crashes, runs out of memory or takes too long; errors that it answers are not meant. */
export function alarmOnCrashes(handler: IFunction, topic: ITopic): void {
  const kind = {
    metric: lambdaMetric('Errors', 'Sum', handler),
    threshold: 1,
    periods: 1,
    description: `${handler.node.id} crashed, ran out of memory or took too long. Its log group says which.`,
  };
  createAlarm(handler, 'Crashes', kind, topic);
}

function createAlarm(scope: Construct, id: string, kind: AlarmKind, topic: ITopic): void {
  const alarm = new Alarm(scope, id, {
    alarmDescription: kind.description,
    metric: kind.metric,
    threshold: kind.threshold,
    evaluationPeriods: kind.periods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    // Where nobody calls there is nothing to measure.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}
