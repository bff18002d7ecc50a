import type { Context } from 'aws-lambda';
import type { Route } from './router.ts';

/** The time that a deployed function has: API Gateway gives an answer up after 30 seconds. */
const functionTimeoutMs = 29_000;

/** Makes the part of Lambda's context that functions use. */
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

/** Stands for the three ways to end a function that today's Lambda no longer knows, but its type still requires. */
function ignored(): void {}
