import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { toContext } from '../../../lib/http/local/context.ts';

/** An endpoint that needs no token, and does as it is told. */
export function endpointThat(answer: () => unknown): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/things/{thing}',
    tag: 'Test',
    summary: 'Test.',
    public: true,
    responses: { 200: null },
  }).handle(async () => {
    await answer();
    return { status: 200 };
  });
}

/** Calls an endpoint for a thing of the given name. */
export function callFor(handler: Endpoint, thing = 'lamp', { requestId = 'r-1', leftMs = 29_000 } = {}) {
  const rawPath = `/things/${thing}`;
  const event = {
    version: '2.0',
    routeKey: 'GET /things/{thing}',
    rawPath,
    rawQueryString: '',
    headers: { 'user-agent': 'a tester of log lines' },
    pathParameters: { thing },
    requestContext: { http: { method: 'GET', path: rawPath } },
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2;
  const route = { handler, routeKey: '', rawPath, rawQueryString: '', pathParameters: { thing } };
  return handler(event, { ...toContext(route, requestId), getRemainingTimeInMillis: () => leftMs });
}
