import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Api } from './api.ts';
import { countFailuresOfApi } from './failures.ts';
import { buildApiMetric, buildCountMetric, buildTableMetric, period } from './metrics.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

export interface AlarmsProps {
  readonly api: Api;
  readonly table: StoreTable;
  readonly topic: ITopic;
  readonly settings: Pick<StackSettings, 'maxReadUnits' | 'maxWriteUnits' | 'metricsNamespace'>;
}

interface AlarmKind {
  readonly metric: IMetric;
  /** The alarm starts when the metric is at least this high in this many consecutive periods of five minutes. */
  readonly threshold: number;
  readonly periods: number;
  readonly description: string;
}

/**
 * Alarms for an operator: callers get errors or slow answers, or soon will. Each alarm costs $0.10 a month, even without traffic,
 * so there are few, and none that another one includes. A request that Lambda throttles fails at the gateway; one that the table
 * throttles for seconds gets a 503.
 */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { api, table, topic, settings }: AlarmsProps) {
    super(scope, id);
    countFailuresOfApi(this, api.accessLogs, settings);
    const kinds: Record<string, AlarmKind> = {
      ServerErrors: {
        metric: buildCountMetric(settings.metricsNamespace, 'serverErrors'),
        // A single 503 under load is no reason for an alarm: clients retry it.
        threshold: 5,
        periods: 1,
        description:
          'Five requests or more were answered with 5xx in five minutes. The access log, and the logs of the folders with a URL, have the request ids.',
      },
      Crashes: {
        metric: buildCountMetric(settings.metricsNamespace, 'crashes'),
        threshold: 1,
        periods: 1,
        description:
          'A function crashed, ran out of memory, timed out or was throttled by Lambda. The access log lines with an integrationError have the route and the request id; of a function with a URL, its lines of the type platform.report.',
      },
      Latency: {
        metric: buildApiMetric(api.http, 'Latency', 'p99'),
        // A cold start with a large import takes less time. With few calls, a single slow call is the p99, but not for 15 minutes.
        threshold: 3000,
        periods: 3,
        description: 'One request in a hundred took three seconds or more, for 15 minutes.',
      },
      ReadUnits: unitsAlarm(table, 'Read', settings.maxReadUnits),
      WriteUnits: unitsAlarm(table, 'Write', settings.maxWriteUnits),
    };
    for (const [name, kind] of Object.entries(kinds)) createAlarm(this, name, kind, topic);
  }
}

/** Returns an alarm at half of the maximum for five minutes, before the table throttles requests or becomes expensive. */
function unitsAlarm(table: StoreTable, kind: 'Read' | 'Write', maxUnits: number): AlarmKind {
  return {
    metric: buildTableMetric(table, `Consumed${kind}CapacityUnits`, 'Sum'),
    threshold: (maxUnits * period.toSeconds()) / 2,
    periods: 1,
    description: `For five minutes the table consumed half of its maximum of ${maxUnits} ${kind.toLowerCase()} units a second. The log lines of the requests have the units by route.`,
  };
}

function createAlarm(scope: Construct, id: string, kind: AlarmKind, topic: ITopic): void {
  const alarm = new Alarm(scope, id, {
    alarmDescription: kind.description,
    metric: kind.metric,
    threshold: kind.threshold,
    evaluationPeriods: kind.periods,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    // Without requests, there are no data points.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}
