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
  /** The API, whose address is the base of links if no public URL is set. */
  readonly api: Api;
}

interface TimerFunctionProps extends BackgroundProps {
  /** The name of its bundle. */
  readonly bundle: string;
  /** The name of its nested stack, of its rule, and of the group of its metrics. */
  readonly name: string;
  readonly description: string;
  /** The description of the rule that calls the function every minute. */
  readonly clockDescription: string;
  readonly role: IRole;
  readonly logGroup: ILogGroup;
  readonly memorySize: number;
  /** The time after which a call looks for missed work. */
  readonly reminder: Duration;
  /** The environment variables that the function reads, in addition to those of every function. */
  readonly variables: readonly Variable[];
  /**
   * Prefixes of partition and sort keys. The function is called when such an item is created or, with `REMOVE`, deleted.
   */
  readonly streamTriggers: readonly (readonly [pk: string, sk: string, on?: 'INSERT' | 'REMOVE'])[];
}

/**
 * Adds a background function, and its two triggers: the stream of the table, and the clock, a rule that calls it every minute.
 * Without work it costs next to nothing: the stream is free, and the function turns the clock off. A slow rule calls it to look
 * for missed work.
 * @returns the function.
 */
export function addTimerFunction(
  stack: NestedStack,
  mainStackName: string,
  { bundles, table, settings, api, role, streamTriggers, ...props }: TimerFunctionProps,
): LambdaFunction {
  const timerFunction = new LambdaFunction(stack, 'Function', {
    ...quietLogs,
    description: props.description,
    ...codeOf(bundles, props.bundle, settings),
    role,
    logGroup: props.logGroup,
    memorySize: props.memorySize,
    timeout: Duration.seconds(60),
  });
  const environment = {
    ...variablesOf(stack, { tableName: table.tableName, group: props.name, settings, reads: props.variables }),
    PUBLIC_URL: settings.publicUrl ?? api.http.apiEndpoint,
  };
  for (const [name, value] of Object.entries(environment)) timerFunction.addEnvironment(name, value);

  // The description contains the version and an existing table, so a deployment of another release, or on another table, changes the
  // rule and enables it. The function then checks for work. Without a stream, nothing else would enable it.
  const ruleName = `${mainStackName}-${props.name}`;
  const clock = new Rule(stack, 'Clock', {
    // The function needs the name and the rule needs the function, so CloudFormation cannot generate the name.
    ruleName,
    description: `${props.clockDescription} (${version}${settings.tableName === undefined ? '' : ` on ${settings.tableName}`}).`,
    schedule: Schedule.rate(Duration.minutes(1)),
  });
  clock.addTarget(new FunctionTarget(timerFunction, { retryAttempts: 2 }));
  // The stream of an existing table may be unknown; the clock is then the only trigger and always stays on.
  if (table.streamArn === undefined) return timerFunction;

  timerFunction.addEnvironment('CLOCK_RULE', ruleName);
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
  // EventBridge may have been unavailable for longer than Lambda retries a batch.
  new Rule(stack, 'Reminder', {
    schedule: Schedule.rate(props.reminder),
    targets: [new FunctionTarget(timerFunction, { event: RuleTargetInput.fromObject({ Records: [] }) })],
  });
  // Keep the id `Doorbell`: with another one, CloudFormation would first create a second mapping, which Lambda refuses.
  new EventSourceMapping(stack, 'Doorbell', {
    target: timerFunction,
    eventSourceArn: table.streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    maxBatchingWindow: Duration.seconds(2),
    // Only failures of the table and of EventBridge fail a batch. Work of skipped records is found at the next call by the clock.
    bisectBatchOnError: true,
    maxRecordAge: Duration.hours(1),
    filters: streamTriggers.map(([pk, sk, on = 'INSERT']) =>
      FilterCriteria.filter({
        eventName: FilterRule.isEqual(on),
        dynamodb: { Keys: { pk: { S: FilterRule.beginsWith(pk) }, sk: { S: FilterRule.beginsWith(sk) } } },
      }),
    ),
  });
  return timerFunction;
}
