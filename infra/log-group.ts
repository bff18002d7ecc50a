import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/**
 * A log group that forgets its lines in time, and outlives its stack until then, unless it is ephemeral.
 *
 * CloudFormation names it. A name of our own would be in the way when a stack is removed and deployed anew.
 */
export function createLogGroup(
  scope: Construct,
  id: string,
  { logRetention, ephemeral }: Pick<Settings, 'logRetention' | 'ephemeral'>,
): LogGroup {
  return new LogGroup(scope, id, {
    retention: logRetention,
    removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
}
