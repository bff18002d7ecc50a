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

/** The parts of the service that a background function needs. */
export interface BackgroundProps {
  readonly bundles: string;
  readonly table: StoreTable;
  readonly settings: StackSettings;
  /** Its address is the base of links if no public URL is set. */
  readonly api: Api;
}

interface ClockedFunctionProps extends BackgroundProps {
  /** The name of its bundle. */
  readonly bundle: string;
  /** The name of its nested stack, of its rule, and of the group of its metrics. */
  readonly name: string;
  readonly description: string;
  /** Describes the purpose of the clock. */
  readonly clockDescription: string;
  readonly role: IRole;
  readonly logGroup: ILogGroup;
  readonly memorySize: number;
  readonly reads: readonly Variable[];
  /** Prefixes of partition and sort keys. Creating such an item, or deleting it with `REMOVE`, calls the function through the stream. */
  readonly notifiedOf: readonly (readonly [pk: string, sk: string, on?: 'INSERT' | 'REMOVE'])[];
}

/**
 * Adds a background function, and its two triggers: the stream of the table and a clock. At rest it costs next to nothing: the
 * stream is free, the function turns the clock off when it has no work, and a daily rule makes it check.
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

  // The description contains the version, so a deployment of another release changes the rule and enables it. The new release
  // then checks for work.
  const ruleName = `${mainStackName}-${props.name}`;
  const clock = new Rule(stack, 'Clock', {
    // The function needs the name and the rule needs the function, so CloudFormation cannot generate the name.
    ruleName,
    description: `${props.clockDescription} (${version}).`,
    schedule: Schedule.rate(Duration.minutes(1)),
  });
  clock.addTarget(new FunctionTarget(clocked, { retryAttempts: 2 }));
  // Without a known stream, the clock is the only trigger and always stays on.
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
      // Lambda requires all four.
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      resources: [table.streamArn],
    }),
  );
  // EventBridge may have been unavailable for longer than Lambda retries a batch of the stream.
  new Rule(stack, 'Reminder', {
    schedule: Schedule.rate(Duration.days(1)),
    targets: [new FunctionTarget(clocked, { event: RuleTargetInput.fromObject({ Records: [] }) })],
  });
  // A new id would make CloudFormation create a second mapping first, which Lambda refuses.
  new EventSourceMapping(stack, 'Doorbell', {
    target: clocked,
    eventSourceArn: table.streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    maxBatchingWindow: Duration.seconds(2),
    // Only failures of the table and of EventBridge fail a batch. The clock finds the records that are skipped in the end.
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
