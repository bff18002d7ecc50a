import { Duration, type NestedStack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Variable } from '../lib/http/declaration.ts';
import { version } from '../lib/http/version.ts';
import type { Api } from './api.ts';
import { codeOf, quietLogs } from './endpoint-function.ts';
import { variablesOf } from './function-environment.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

/** The parts of the service that a function in the background needs. */
export interface BackgroundProps {
  readonly bundles: string;
  readonly table: StoreTable;
  readonly settings: StackSettings;
  /** Links lead to its address where people have no other one. */
  readonly api: Api;
}

interface ClockedFunctionProps extends BackgroundProps {
  /** The name of its bundle. */
  readonly bundle: string;
  /** The name of its nested stack, of its rule, and of the group of its metrics. */
  readonly name: string;
  readonly description: string;
  /** In words, for whom the clock runs. */
  readonly clockDescription: string;
  readonly role: IRole;
  readonly logGroup: ILogGroup;
  readonly memorySize: number;
  readonly reads: readonly Variable[];
  /** The beginnings of the partition and sort keys of the items whose writing, or removal, calls it. */
  readonly notifiedOf: readonly (readonly [pk: string, sk: string, on?: 'INSERT' | 'REMOVE'])[];
}

/**
 * Adds a function that works in the background, with what calls it: the stream of the table, and a clock. At rest
 * it costs next to nothing: the stream is free, the function turns the clock off while nothing waits, and looks once a day.
 */
export function addClockedFunction(
  stack: NestedStack,
  mainStackName: string,
  { bundles, table, settings, api, role, notifiedOf, ...props }: ClockedFunctionProps,
): void {
  const clocked = new LambdaFunction(stack, 'Function', {
    ...quietLogs,
    description: props.description,
    ...codeOf(bundles, props.bundle, settings),
    role,
    logGroup: props.logGroup,
    memorySize: props.memorySize,
    timeout: Duration.seconds(60),
  });
  const environment = {
    ...variablesOf(stack, { tableName: table.tableName, group: props.name, settings, reads: props.reads }),
    PUBLIC_URL: settings.publicUrl ?? api.http.apiEndpoint,
  };
  for (const [name, value] of Object.entries(environment)) clocked.addEnvironment(name, value);

  // A deployment of another release changes the description, which turns the clock on: what that release does first is look.
  const ruleName = `${mainStackName}-${props.name}`;
  const clock = new Rule(stack, 'Clock', {
    // Its function has to know it, and it the function, so that CloudFormation cannot name it.
    ruleName,
    description: `${props.clockDescription} (${version}).`,
    schedule: Schedule.rate(Duration.minutes(1)),
  });
  clock.addTarget(new FunctionTarget(clocked, { retryAttempts: 2 }));
  // A table without a known stream has the clock alone, which then is always on.
  if (table.streamArn === undefined) return;

  clocked.addEnvironment('CLOCK_RULE', ruleName);
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['events:DisableRule', 'events:EnableRule'],
      resources: [stack.formatArn({ service: 'events', resource: 'rule', resourceName: ruleName })],
    }),
  );
  role.addToPrincipalPolicy(
    new PolicyStatement({
      // Lambda asks for all four.
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      resources: [table.streamArn],
    }),
  );
  // EventBridge may have been away for longer than the stream calls again.
  new Rule(stack, 'Reminder', {
    schedule: Schedule.rate(Duration.days(1)),
    targets: [new FunctionTarget(clocked, { event: RuleTargetInput.fromObject({ Records: [] }) })],
  });
  new EventSourceMapping(stack, 'Doorbell', {
    target: clocked,
    eventSourceArn: table.streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    maxBatchingWindow: Duration.seconds(2),
    // Only the table and EventBridge make it fail; what is skipped in the end, the clock finds.
    bisectBatchOnError: true,
    maxRecordAge: Duration.hours(1),
    filters: notifiedOf.map(([pk, sk, on = 'INSERT']) =>
      FilterCriteria.filter({
        eventName: FilterRule.isEqual(on),
        dynamodb: { Keys: { pk: { S: FilterRule.beginsWith(pk) }, sk: { S: FilterRule.beginsWith(sk) } } },
      }),
    ),
  });
}
