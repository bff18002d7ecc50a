import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Endpoint, routeOf } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { toContext } from '../../../lib/http/local/context.ts';

/** An endpoint that needs no token and does what its caller says. */
export function endpointThat(answer: () => unknown): Endpoint {
  return endpoint({
    route: 'GET /things/{thing}',
    group: 'Test',
    summary: 'Test.',
    audience: 'public',
    responses: { 200: null },
  }).handle(async () => {
    await answer();
  });
}

/** Calls an endpoint for a thing of the given name. */
export function callFor(handler: Endpoint, thing = 'lamp', options: { requestId?: string; leftMs?: number } = {}) {
  return call(handler, { rawPath: `/things/${thing}`, pathParameters: { thing } }, options);
}

/** Calls an endpoint with an event of which `event` says what matters. */
export function call(
  handler: Endpoint,
  event: Partial<APIGatewayProxyEventV2>,
  { requestId = 'r-1', leftMs = 29_000 } = {},
) {
  const { method, path } = handler.declaration;
  const { rawPath = path } = event;
  const whole = {
    version: '2.0',
    routeKey: routeOf(handler.declaration),
    rawPath,
    rawQueryString: '',
    headers: { 'user-agent': 'a tester of log lines' },
    requestContext: { http: { method, path: rawPath } },
    isBase64Encoded: false,
    ...event,
  } as unknown as APIGatewayProxyEventV2;
  const route = { handler, routeKey: '', rawPath, rawQueryString: '', pathParameters: undefined };
  return handler(whole, { ...toContext(route, requestId), getRemainingTimeInMillis: () => leftMs });
}
