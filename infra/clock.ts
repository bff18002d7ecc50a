import { NestedStack, type Stack } from 'aws-cdk-lib';
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
  addTimerFunction(stack, main.stackName, {
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
  countCrashes(stack, logGroup, settings);
  return stack;
}
