import { Duration, NestedStack, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { sendFunction } from './entry-points.ts';
import { countFailuresOfSending } from './failures.ts';
import { createLogGroup } from './logs.ts';
import { addTimerFunction, type BackgroundProps } from './timer-function.ts';

/** The partitions that it reads: events, integrations, pending work, and the projects that an integration may see. They contain no secrets. */
const readPartitions = [
  ...['FEATURE#*#EVENTS', 'EVENTS', 'EVENTS#*', 'ADDONS', 'SENDING', 'SENDING#*', 'SENT#*'],
  ...['PRIVATE_PROJECTS', 'ACCESS', 'ROLES'],
];
const writtenPartitions = ['SENDING', 'SENDING#*', 'SENT#*'];

/**
 * Adds the function that sends events to integrations.
 * @returns the nested stack, or nothing if this stack has no integrations.
 */
export function addSending(main: Stack, props: BackgroundProps): NestedStack[] {
  const { table, settings } = props;
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
  addTimerFunction(stack, main.stackName, {
    ...props,
    bundle: sendFunction,
    name: 'sending',
    description: 'Sends events to integrations.',
    clockDescription: 'Calls the function that sends events to integrations each minute, while one is enabled',
    role,
    logGroup,
    // It mostly waits for answers.
    memorySize: 512,
    reminder: Duration.days(1),
    variables: ['INTEGRATION_ALLOWED_HOSTS', 'INTEGRATION_DAILY_LIMIT'],
    // In these partitions, only events have sort keys that begin with a digit.
    streamTriggers: [
      ['FEATURE#', '0'],
      ['EVENTS#', '0'],
    ],
  });
  countFailuresOfSending(stack, logGroup, settings);
  return [stack];
}
