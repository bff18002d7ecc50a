import type { Context } from 'aws-lambda';
import type { Route } from './router.ts';

/** The timeout of a deployed function. API Gateway waits for 30 seconds. */
const functionTimeoutMs = 29_000;

/** Returns the parts of Lambda's context that functions use. */
export function toContext({ routeKey }: Route, awsRequestId: string): Context {
  const deadline = Date.now() + functionTimeoutMs;
  return {
    awsRequestId,
    functionName: routeKey,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${routeKey}`,
    memoryLimitInMB: '512',
    logGroupName: 'local',
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done: ignored,
    fail: ignored,
    succeed: ignored,
  };
}

/** Implements the three ways to end a function that Lambda no longer supports, but its type still requires. */
function ignored(): void {}
