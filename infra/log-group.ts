import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StackSettings } from './settings.ts';
import { keptUnless } from './table.ts';

/**
 * A log group that forgets its lines in time, and outlives its stack until then, unless it is ephemeral.
 *
 * CloudFormation names it. A name of our own would be in the way when a stack is removed and deployed again.
 */
export function createLogGroup(
  scope: Construct,
  id: string,
  { logRetention, ephemeral }: Pick<StackSettings, 'logRetention' | 'ephemeral'>,
): LogGroup {
  return new LogGroup(scope, id, {
    retention: logRetention,
    removalPolicy: keptUnless(ephemeral),
  });
}
