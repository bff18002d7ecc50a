import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import { timeoutEarlyInMillis } from './deadline.ts';
import type { LambdaHandler } from './declaration.ts';
import { authenticate } from './middleware/authenticate.ts';
import { errors } from './middleware/errors.ts';
import { report } from './middleware/report.ts';
import { respond } from './middleware/respond.ts';
import { table } from './middleware/table.ts';
import { assertDecodable } from './middleware/validate.ts';

/**
 * The handler of every path and method that no endpoint has: 404 in the error shape of all, below `/api` only to
 * callers with a valid token.
 */
export function unknownPath(): LambdaHandler {
  const chain = middy({ timeoutEarlyInMillis })
    .use(report('$default'))
    .use(respond({ responses: {} }))
    .use(errors())
    .use(table())
    .use(authenticateBelowApi())
    .handler(async ({ rawPath, requestContext }: APIGatewayProxyEventV2) => {
      assertDecodable(rawPath);
      throw new ApiError('NotFoundError', `There is no ${requestContext.http.method} ${rawPath.slice(0, 200)}.`);
    });
  return chain as unknown as LambdaHandler;
}

function authenticateBelowApi() {
  const { before } = authenticate({});
  return {
    before: async function authenticateBelowApiBefore(request: Parameters<NonNullable<typeof before>>[0]) {
      if (request.event.rawPath.startsWith('/api/')) await before?.(request);
    },
  };
}
