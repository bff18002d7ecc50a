import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';

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
export function accessLogInto(logGroup: ILogGroup): IAccessLogSettings {
  return {
    destination: new LogGroupLogDestination(logGroup),
    format: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}
