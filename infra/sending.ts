import { join } from 'node:path';
import { Duration, NestedStack, type Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Code,
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  Function as LambdaFunction,
  Runtime,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { version } from '../lib/http/version.ts';
import type { Api } from './api.ts';
import { handlerName } from './bundle.ts';
import { architectureOf, quietLogs } from './endpoint-function.ts';
import { sendFunction } from './entry-points.ts';
import { countFailuresOfSending } from './failures.ts';
import { variablesOf } from './function-environment.ts';
import { createLogGroup } from './log-group.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

export interface SendingProps {
  readonly bundles: string;
  readonly table: StoreTable;
  readonly settings: StackSettings;
  /** Links lead to its address where people have no other one. */
  readonly api: Api;
}

/** The partitions that it reads: events, integrations, what waits, and whom an integration sends for. No secret of anybody's. */
const readPartitions = [
  ...['FEATURE#*#EVENTS', 'EVENTS', 'EVENTS#*', 'ADDONS', 'SENDING', 'SENDING#*', 'SENT#*'],
  ...['PRIVATE_PROJECTS', 'ACCESS', 'ROLES'],
];
const writtenPartitions = ['SENDING', 'SENDING#*', 'SENT#*'];

/**
 * Adds the function that sends events to integrations, with what calls it: the stream of the table as the doorbell, and a
 * clock. At rest it costs nothing: the stream is free, and the function turns the clock off while no integration is enabled.
 * @returns the nested stack; none where nothing is sent from here.
 */
export function addSending(main: Stack, { bundles, table, settings, api }: SendingProps): NestedStack[] {
  if (!settings.integrations) return [];
  const stack = new NestedStack(main, 'sending', { description: 'Sends events to integrations' });
  const logGroup = createLogGroup(stack, 'Logs', settings);
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  const within = (partitions: readonly string[]) => ({
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] },
  });
  table.grant(role, ['dynamodb:BatchGetItem', 'dynamodb:Query'], within(readPartitions));
  table.grant(role, ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], within(writtenPartitions));
  if (settings.eventBuses.length > 0) {
    role.addToPolicy(new PolicyStatement({ actions: ['events:PutEvents'], resources: [...settings.eventBuses] }));
  }

  const sending = new LambdaFunction(stack, 'Function', {
    ...quietLogs,
    description: 'Sends events to integrations.',
    code: Code.fromAsset(join(bundles, sendFunction)),
    handler: handlerName,
    runtime: Runtime.NODEJS_24_X,
    architecture: architectureOf(settings),
    role,
    logGroup,
    // It mostly waits for others.
    memorySize: 512,
    timeout: Duration.seconds(60),
  });
  const environment = {
    ...variablesOf(stack, {
      tableName: table.tableName,
      group: 'sending',
      settings,
      reads: ['INTEGRATION_ALLOWED_HOSTS'],
    }),
    PUBLIC_URL: settings.publicUrl ?? api.http.apiEndpoint,
  };
  for (const [name, value] of Object.entries(environment)) sending.addEnvironment(name, value);
  countFailuresOfSending(stack, logGroup, settings);

  // A deployment of another release changes the description, which turns the clock on: what that release does first is look.
  const ruleName = `${main.stackName}-sending`;
  const clock = new Rule(stack, 'Clock', {
    // Its function has to know it, and it the function, so that CloudFormation cannot name it.
    ruleName,
    description: `Calls the function that sends events to integrations each minute, while one is enabled (${version}).`,
    schedule: Schedule.rate(Duration.minutes(1)),
  });
  clock.addTarget(new FunctionTarget(sending, { retryAttempts: 2 }));
  if (table.streamArn === undefined) return [stack];

  // A table without a known stream has the clock alone, which then is always on.
  sending.addEnvironment('CLOCK_RULE', ruleName);
  role.addToPolicy(
    new PolicyStatement({
      actions: ['events:DisableRule', 'events:EnableRule'],
      resources: [stack.formatArn({ service: 'events', resource: 'rule', resourceName: ruleName })],
    }),
  );
  role.addToPolicy(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [table.streamArn],
    }),
  );
  const inserted = (pk: string, sk: string) =>
    FilterCriteria.filter({
      eventName: FilterRule.isEqual('INSERT'),
      dynamodb: { Keys: { pk: { S: FilterRule.beginsWith(pk) }, sk: { S: FilterRule.beginsWith(sk) } } },
    });
  new EventSourceMapping(stack, 'Doorbell', {
    target: sending,
    eventSourceArn: table.streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    maxBatchingWindow: Duration.seconds(2),
    // Only the table makes it fail; what is skipped in the end, the sweep finds.
    bisectBatchOnError: true,
    retryAttempts: 5,
    maxRecordAge: Duration.hours(1),
    // Items of events alone have numbers as sort keys there.
    filters: [inserted('FEATURE#', '0'), inserted('EVENTS#', '0')],
  });
  return [stack];
}
