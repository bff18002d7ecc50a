import { Duration, NestedStack, type Stack } from 'aws-cdk-lib';
import { Match, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { addCheckpointBucket } from './checkpoint-bucket.ts';
import { memoryMegabytes } from './endpoint-function.ts';
import { clockFunction } from './entry-points.ts';
import { countCrashes } from './failures.ts';
import { createLogGroup } from './logs.ts';
import { Roles } from './roles.ts';
import { addTimerFunction, type BackgroundProps } from './timer-function.ts';

/**
 * Adds the function that does the work of the clock. It is still named after schedules, its first work: with another name,
 * CloudFormation would replace it.
 */
export function addClock(main: Stack, props: BackgroundProps): NestedStack {
  const { table, settings } = props;
  const stack = new NestedStack(main, 'schedules', { description: 'Does work that waits for its time' });
  const logGroup = createLogGroup(stack, 'Logs', settings);
  const workingFunction = addTimerFunction(stack, main.stackName, {
    ...props,
    bundle: clockFunction,
    name: 'schedules',
    description: 'Applies scheduled change requests, and does other work that waits for its time.',
    clockDescription: 'Calls the function that does waiting work each minute, while any waits',
    // Applying a request can change anything that the person who scheduled it may change. The function also sends the mails.
    role: new Roles(stack, 'Roles', { table, logGroup, settings }).roleFor('write', {
      sendsMail: true,
    }),
    logGroup,
    memorySize: memoryMegabytes,
    // The longest time that events wait for their seal, since they do not turn the clock on.
    reminder: Duration.hours(1),
    variables: ['EMAIL_SENDER', 'SMTP_PARAMETER'],
    streamTriggers: [
      ['SCHEDULES', '2'],
      ['PLAN_STEPS', '2'],
      // The name of an environment follows.
      ['GUARDED', ''],
      ['MAILS', '0'],
      ['ALARMS', '0', 'REMOVE'],
    ],
  });
  if (settings.checkpointKeyArn !== undefined) signCheckpoints(workingFunction, settings.checkpointKeyArn);
  if (settings.checkpointLockDays !== undefined)
    addCheckpointBucket(main, workingFunction, settings.checkpointLockDays);
  if (settings.safeguardAlarms !== undefined) callOnAlarms(stack, workingFunction, settings.safeguardAlarms);
  countCrashes(stack, logGroup, settings);
  return stack;
}

/** Lets the function sign checkpoints of the history. */
function signCheckpoints(workingFunction: LambdaFunction, keyArn: string): void {
  workingFunction.addToRolePolicy(
    new PolicyStatement({ actions: ['kms:GetPublicKey', 'kms:Sign'], resources: [keyArn] }),
  );
  workingFunction.addEnvironment('CHECKPOINT_KEY', keyArn);
}

/** Calls the function when an alarm whose name has the prefix changes its state. It costs nothing, and needs no right to read alarms. */
function callOnAlarms(stack: NestedStack, workingFunction: IFunction, prefix: string): void {
  new Rule(stack, 'Alarms', {
    description: `Tells safeguards of the alarms whose names begin with ${prefix}`,
    eventPattern: {
      source: ['aws.cloudwatch'],
      detailType: ['CloudWatch Alarm State Change'],
      detail: { alarmName: Match.prefix(prefix) },
    },
    targets: [new FunctionTarget(workingFunction, { retryAttempts: 2 })],
  });
}
