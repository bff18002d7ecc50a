import { expect, test } from 'vitest';
import { deployedEndpoints } from '../../infra/deployed-endpoints.ts';
import { metricDimensions, metricsNamespace, requestMetrics } from '../../lib/http/metrics.ts';
import { synthesize } from './synthesize.ts';
import { resourcesOf, theOnly } from './template.ts';

const { main: template } = synthesize();
const alarms = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].map(({ Properties }) => Properties);
const alarmsOn = (namespace: string, metric: string) =>
  alarms.filter(({ Namespace, MetricName }) => Namespace === namespace && MetricName === metric);

/** The body of the dashboard, with the names that CloudFormation puts in replaced by "?". */
function dashboard(): string {
  const { DashboardBody } = theOnly(template, 'AWS::CloudWatch::Dashboard').Properties;
  const [, parts] = (DashboardBody as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : '?')).join('');
}

test.each([
  ['answers 5xx', 'AWS/ApiGateway', '5xx', 'Sum'],
  ['slow answers', 'AWS/ApiGateway', 'Latency', 'p99'],
  ['calls that Lambda refuses', 'AWS/Lambda', 'Throttles', 'Sum'],
  ['concurrency that runs out', 'AWS/Lambda', 'ConcurrentExecutions', 'Maximum'],
  ['reads that the table refuses', 'AWS/DynamoDB', 'ReadThrottleEvents', 'Sum'],
  ['writes that the table refuses', 'AWS/DynamoDB', 'WriteThrottleEvents', 'Sum'],
])('an alarm tells of %s', (_what, namespace, metric, statistic) => {
  const [alarm, ...others] = alarmsOn(namespace, metric);
  expect(others).toEqual([]);
  expect([alarm?.Statistic, alarm?.ExtendedStatistic]).toContain(statistic);
});

test('an alarm tells of every function that crashes, and names it', () => {
  const descriptions = alarmsOn('AWS/Lambda', 'Errors').map((alarm) => alarm.AlarmDescription);
  for (const { operationId } of deployedEndpoints()) {
    expect(descriptions).toContainEqual(expect.stringMatching(`^${operationId} crashed`));
  }
});

test('every alarm says in words what it is about, goes to the topic, and is silent where nobody calls', () => {
  const [topic] = resourcesOf(template, 'AWS::SNS::Topic').keys();
  for (const alarm of alarms) {
    expect(alarm).toMatchObject({
      AlarmDescription: expect.stringMatching(/\.$/),
      AlarmActions: [{ Ref: topic }],
      OKActions: [{ Ref: topic }],
      TreatMissingData: 'notBreaching',
    });
  }
});

test('the alarm on concurrency stands at four fifths of what the account may have', () => {
  expect(alarmsOn('AWS/Lambda', 'ConcurrentExecutions')).toMatchObject([{ Threshold: 800 }]);
  const { main } = synthesize({ concurrencyLimit: '10' });
  main.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'ConcurrentExecutions', Threshold: 8 });
});

test('an address is told of alarms if one is given, otherwise nobody is', () => {
  expect(resourcesOf(template, 'AWS::SNS::Subscription').size).toBe(0);
  const { main } = synthesize({ alarmEmail: 'operator@example.com' });
  const subscription = theOnly(main, 'AWS::SNS::Subscription');
  expect(subscription.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'operator@example.com' });
});

test('the dashboard shows every metric that the functions write, by what it is told apart', () => {
  const widgets = JSON.parse(dashboard()) as { widgets: object[] };
  expect(widgets.widgets.length).toBeGreaterThan(0);
  for (const metric of Object.keys(requestMetrics)) {
    const by = metric === 'errors' ? metricDimensions.error : metricDimensions.operation;
    expect(dashboard(), metric).toContain(
      `SEARCH('{${metricsNamespace},${by}} MetricName=\\"${metric}\\"'`.replaceAll('\\"', '\\"'),
    );
  }
});

test('the dashboard shows what a million requests cost, by the units and the time that they took', () => {
  const cost =
    /"\(reads \* ([\d.]+) \+ writes \* ([\d.]+) \+ SUM\(SEARCH\(.*?\)\) \* ([\d.]+)\) \/ requests \+ ([\d.]+)"/;
  const [, ...factors] = dashboard().match(cost) ?? [];
  const [reads = 0, writes = 0, milliseconds = 0, fees = 0] = factors.map(Number);
  // A write of three items in a transaction, with two reads before it, by a function that takes 20 ms.
  expect(2 * reads + 6 * writes + 20 * milliseconds + fees).toBeCloseTo(0.25 + 3.75 + 0.46 + 1.2, 2);
});
