import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { metricDimensions, requestMetrics } from '../../../lib/http/metrics.ts';
import { chosen, synthesize, synthesizeFew } from '../synthesize.ts';
import { functionsOfRoutes, resourcesOf, theOnly } from '../template.ts';

const { main, nested, whole: template } = synthesize();
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
  ['answers 5xx, by the API and by the functions with a URL', 'Flagstaff', 'serverErrors', 'Sum'],
  ['slow answers', 'AWS/ApiGateway', 'Latency', 'p99'],
  ['functions that crash, all of them together', 'Flagstaff', 'crashes', 'Sum'],
  ['many read units', 'AWS/DynamoDB', 'ConsumedReadCapacityUnits', 'Sum'],
  ['many write units', 'AWS/DynamoDB', 'ConsumedWriteCapacityUnits', 'Sum'],
])('an alarm reports %s', (_what, namespace, metric, statistic) => {
  const [alarm, ...others] = alarmsOn(namespace, metric);
  expect(others).toEqual([]);
  expect([alarm?.Statistic, alarm?.ExtendedStatistic]).toContain(statistic);
});

test('there are as many alarms for many endpoints as for few', () => {
  expect(alarms).toHaveLength(5);
  const { whole } = synthesizeFew();
  expect(resourcesOf(whole, 'AWS::CloudWatch::Alarm').size).toBe(5);
});

/** The filters of a template: the metric that each counts, the lines that it counts, and the log group of these. */
function filtersOf(template: Template) {
  return [...resourcesOf(template, 'AWS::Logs::MetricFilter').values()].map(({ Properties }) => {
    const { FilterPattern, LogGroupName, MetricTransformations } = Properties as unknown as {
      FilterPattern: string;
      LogGroupName: { Ref: string };
      MetricTransformations: readonly [{ MetricNamespace: string; MetricName: string; MetricValue: string }];
    };
    expect(MetricTransformations).toMatchObject([{ MetricNamespace: 'Flagstaff', MetricValue: '1' }]);
    return { metric: MetricTransformations[0].MetricName, lines: FilterPattern, logGroup: LogGroupName.Ref };
  });
}

test('failed requests to the API are counted in its access log', () => {
  const { AccessLogSettings } = theOnly(template, 'AWS::ApiGatewayV2::Stage').Properties as unknown as {
    AccessLogSettings: { DestinationArn: { 'Fn::GetAtt': [string, string] }; Format: string };
  };
  const [logGroup] = AccessLogSettings.DestinationArn['Fn::GetAtt'];
  expect(filtersOf(main)).toEqual([
    { metric: 'serverErrors', lines: '{ $.status = "5*" }', logGroup },
    { metric: 'crashes', lines: '{ $.integrationError != "-" }', logGroup },
  ]);
  expect(JSON.parse(AccessLogSettings.Format)).toMatchObject({
    status: '$context.status',
    integrationError: '$context.integrationErrorMessage',
  });
});

test("failed requests to a function URL are counted in the function's log, by its own lines and those of Lambda", () => {
  const { nested: withUrls } = synthesizeFew({ sdkConcurrency: '20' });
  for (const [folder, each] of [...nested, ...withUrls]) {
    const [logGroup] = resourcesOf(each, 'AWS::Logs::LogGroup').keys();
    const counted = [
      { metric: 'serverErrors', lines: '{ $.status >= 500 }', logGroup },
      { metric: 'crashes', lines: '{ ($.type = "platform.report") && ($.record.status != "success") }', logGroup },
    ];
    const hasUrl = resourcesOf(each, 'AWS::Lambda::Url').size > 0;
    if (folder !== 'sending' && folder !== 'schedules') expect(filtersOf(each), folder).toEqual(hasUrl ? counted : []);
  }
});

test('every alarm has a description, goes to the topic, and does not start without requests', () => {
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

test("the alarms on units start at half of the table's maximum in five minutes", () => {
  expect(alarmsOn('AWS/DynamoDB', 'ConsumedReadCapacityUnits')).toMatchObject([{ Threshold: 1_500_000 }]);
  const { whole } = synthesizeFew(chosen);
  for (const [MetricName, Threshold] of [
    ['ConsumedReadCapacityUnits', 30_000],
    ['ConsumedWriteCapacityUnits', 15_000],
  ]) {
    whole.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName, Threshold });
  }
});

test('alarms are mailed to an address if one is given, otherwise to nobody', () => {
  expect(resourcesOf(template, 'AWS::SNS::Subscription').size).toBe(0);
  const { whole } = synthesizeFew(chosen);
  const subscription = theOnly(whole, 'AWS::SNS::Subscription');
  expect(subscription.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'operator@example.com' });
});

test('the dashboard shows every metric that the functions write, with its dimensions', () => {
  const widgets = JSON.parse(dashboard()) as { widgets: object[] };
  expect(widgets.widgets.length).toBeGreaterThan(0);
  for (const metric of Object.keys(requestMetrics)) {
    for (const by of metric === 'errors' ? Object.values(metricDimensions) : [metricDimensions.group]) {
      expect(dashboard(), metric).toContain(
        `SEARCH('{Flagstaff,${by}} MetricName=\\"${metric}\\"'`.replaceAll('\\"', '\\"'),
      );
    }
  }
});

test('the dashboard shows the cost of a million requests, from the units and the time that they took', () => {
  const cost =
    /"\(reads \* ([\d.]+) \+ writes \* ([\d.]+) \+ SUM\(SEARCH\(.*?\)\) \* ([\d.]+)\) \/ requests \+ ([\d.]+)"/;
  const [, ...factors] = dashboard().match(cost) ?? [];
  const [reads = 0, writes = 0, milliseconds = 0, fees = 0] = factors.map(Number);
  // A write of three items in a transaction, with two reads before it, by a function that takes 20 ms.
  expect(2 * reads + 6 * writes + 20 * milliseconds + fees).toBeCloseTo(0.25 + 3.75 + 0.46 + 1.2, 2);
});

test('a second stack in the account has its own metrics, and so has one with its own namespace', () => {
  for (const [context, namespace] of [
    [{ stackName: 'Flagstaff-test' }, 'Flagstaff-test'],
    [{ stackName: 'Flagstaff-test', metricsNamespace: 'flags/test' }, 'flags/test'],
  ] as const) {
    const { whole } = synthesizeFew(context);
    const functions = functionsOfRoutes(whole).map(({ Properties }) => Properties.Environment?.Variables);
    expect(new Set(functions.map((variables) => variables?.METRICS_NAMESPACE))).toEqual(new Set([namespace]));
    whole.hasResourceProperties('AWS::CloudWatch::Alarm', { Namespace: namespace, MetricName: 'crashes' });
    expect(JSON.stringify(theOnly(whole, 'AWS::CloudWatch::Dashboard'))).not.toContain('{Flagstaff,');
  }
});

test('the metrics of a function are those of its folder', () => {
  for (const [folder, each] of nested) {
    for (const { Properties } of resourcesOf(each, 'AWS::Lambda::Function').values()) {
      expect(Properties.Environment?.Variables.METRICS_GROUP).toBe(folder);
    }
  }
});

test('events that are given up, and crashes of the sending function, are counted in its log', () => {
  const sending = nested.get('sending') as NonNullable<ReturnType<typeof nested.get>>;
  const [logGroup] = resourcesOf(sending, 'AWS::Logs::LogGroup').keys();
  expect(filtersOf(sending)).toEqual([
    { metric: 'givenUp', lines: '{ ($.message = "Integration") && ($.level = "ERROR") }', logGroup },
    { metric: 'crashes', lines: '{ ($.type = "platform.report") && ($.record.status != "success") }', logGroup },
  ]);
});
