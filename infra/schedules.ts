import { NestedStack, type Stack } from 'aws-cdk-lib';
import { memoryMegabytes } from './endpoint-function.ts';
import { scheduleFunction } from './entry-points.ts';
import { countCrashes } from './failures.ts';
import { createLogGroup } from './logs.ts';
import { Roles } from './roles.ts';
import { addTimerFunction, type BackgroundProps } from './timer-function.ts';

/** Adds the function that applies scheduled change requests when they are due. */
export function addSchedules(main: Stack, props: BackgroundProps): NestedStack {
  const { table, settings } = props;
  const stack = new NestedStack(main, 'schedules', { description: 'Applies scheduled change requests' });
  const logGroup = createLogGroup(stack, 'Logs', settings);
  addTimerFunction(stack, main.stackName, {
    ...props,
    bundle: scheduleFunction,
    name: 'schedules',
    description: 'Applies scheduled change requests.',
    clockDescription: 'Calls the function that applies scheduled change requests each minute, while one waits',
    // Applying a request can change anything that the person who scheduled it may change. The function also sends the mails.
    role: new Roles(stack, 'Roles', { table, logGroup, settings }).roleFor('write', {
      sendsMail: true,
    }),
    logGroup,
    memorySize: memoryMegabytes,
    variables: ['EMAIL_SENDER', 'SMTP_PARAMETER'],
    streamTriggers: [
      ['SCHEDULES', '2'],
      ['MAILS', '0'],
      ['ALARMS', '0', 'REMOVE'],
    ],
  });
  countCrashes(stack, logGroup, settings);
  return stack;
}
