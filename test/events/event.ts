import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as registry from '../../functions/index.ts';
import { handler as notFound } from '../../functions/service/notFound.ts';
import { insecureLocalToken } from '../../infra/local/insecure-token.ts';
import type { Endpoint } from '../../lib/http/declaration.ts';
import { createRouter } from '../../lib/http/local/router.ts';
import type { Operation } from '../functions/common/operations.ts';

const router = createRouter(registry as Record<string, Endpoint>, notFound);
const host = 'localhost:3000';

/**
 * The event of payload 2.0 that API Gateway makes of the example request of an operation, with the token of the local
 * runtime. Nothing in it changes from one day to the next.
 */
export function eventOf({ declaration, method, target, body }: Operation): APIGatewayProxyEventV2 {
  const { routeKey, rawPath, rawQueryString, pathParameters } = router(method, target);
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    headers: {
      accept: 'application/json',
      host,
      ...(declaration.audience !== 'public' && { authorization: insecureLocalToken }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(pathParameters && { pathParameters: { ...pathParameters } }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'local',
      domainName: host,
      domainPrefix: 'localhost',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'sam local invoke' },
      requestId: '00000000-0000-4000-8000-000000000000',
      routeKey,
      stage: '$default',
      time: '01/Jan/2026:00:00:00 +0000',
      timeEpoch: Date.UTC(2026, 0),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}
