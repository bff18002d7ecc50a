import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';

/**
 * The fields that the API writes about each request, those that no function sees included. There is no header but the
 * client's name of itself, no query and no path but its route: a token must not get here, not even one that a caller
 * put in the wrong place, and the paths that delete a token name it.
 */
const fields = {
  /** The `id` of an error, and the id in the function's own line. */
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
  /** The function's part of the latency, and what was wrong with it: a crash, a timeout, a lack of concurrency. */
  integrationLatencyMs: '$context.integrationLatency',
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
};

/** The field that says why a function did not answer, and its value when it did. */
export const failedIntegration = { field: '$.integrationError', absent: '-' } as const;

/** One line of JSON for each request. */
export function accessLogInto(logGroup: ILogGroup): IAccessLogSettings {
  return {
    destination: new LogGroupLogDestination(logGroup),
    format: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}
