import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StackSettings } from './settings.ts';
import { removalPolicyFor } from './table.ts';

/**
 * Creates a log group with a limited retention. It outlives its stack, unless the stack is ephemeral.
 *
 * CloudFormation generates its name. A fixed name would prevent that a removed stack is deployed again.
 */
export function createLogGroup(
  scope: Construct,
  id: string,
  { logRetention, ephemeral }: Pick<StackSettings, 'logRetention' | 'ephemeral'>,
): LogGroup {
  return new LogGroup(scope, id, {
    retention: logRetention,
    removalPolicy: removalPolicyFor(ephemeral),
  });
}
