import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StackSettings } from './settings.ts';
import { removalPolicyFor } from './table.ts';

/**
 * The fields of the access log: one line for each request, including requests that reach no function. They contain no query
 * string, no header but the user agent, and the route instead of the path. Tokens must not be logged, even if a caller puts one
 * into the wrong place, and the paths that delete a token contain it.
 */
const fields = {
  /** The same as the `id` of an error and the request id in the function's own log line. */
  requestId: '$context.requestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  protocol: '$context.protocol',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  /** The function's part of the latency, and its failure: a crash, a timeout, or a lack of concurrency. */
  integrationLatencyMs: '$context.integrationLatency',
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
};

/** The field that says why a function did not answer, and its value if the function answered. */
export const failedIntegration = { field: '$.integrationError', absent: '-' } as const;

/** Returns the settings of an access log with one line of JSON for each request. */
export function accessLogSettingsFor(logGroup: ILogGroup): IAccessLogSettings {
  return {
    destination: new LogGroupLogDestination(logGroup),
    format: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}

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
