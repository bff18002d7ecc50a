import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as registry from '../../functions/index.ts';
import { notFound } from '../../functions/service/not-found.ts';
import { type Endpoint, isOfSdks } from '../../lib/http/declaration.ts';
import type { StreamAnswer } from '../../lib/http/event-stream.ts';
import { toContext } from '../../lib/http/local/context.ts';
import { createRouter, type Route } from '../../lib/http/local/router.ts';
import { openEnvironmentStore } from '../../lib/store/client/open-store.ts';
import { signed } from './edge-signature.ts';
import { readGreeting } from './greeting.ts';
import { withRightsOfReports } from './report-rights.ts';

/** A request as a client makes it. */
export interface GatewayRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes, which are sent as they are. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text of another type; undefined for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose form they have just checked by schema.
  readonly body: any;
  readonly text: string;
}

/** An answer with what the function was called with. */
export interface Invocation {
  readonly answer: Reply;
  readonly requestId: string;
  readonly route: Route;
}

const router = createRouter(registry as Record<string, Endpoint>, notFound);

/**
 * Calls the function that takes a request, in this process, the way API Gateway calls it.
 * @param timeoutMs time limit, if not that of a deployed function.
 */
export async function invoke(
  { method, target, headers, body }: GatewayRequest,
  timeoutMs?: number,
): Promise<Invocation> {
  const route = router(method, target);
  const requestId = randomUUID();
  const allHeaders = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
  const context = {
    ...toContext(route, requestId),
    ...(timeoutMs !== undefined && { getRemainingTimeInMillis: () => timeoutMs }),
  };
  const handle = async () => route.handler(toEvent(method, route, allHeaders, body), context);
  const { declaration } = route.handler as Partial<Endpoint>;
  const result = await (declaration !== undefined && isOfSdks(declaration)
    ? withRightsOfReports(openEnvironmentStore(), handle)
    : handle());
  return { answer: toReply(result), requestId, route };
}

function toEvent(method: string, route: Route, headers: Record<string, string>, body: unknown): APIGatewayProxyEventV2 {
  const bytes = Buffer.isBuffer(body);
  const text = typeof body === 'string' || bytes || body === undefined ? body : JSON.stringify(body);
  return {
    version: '2.0',
    routeKey: route.routeKey,
    rawPath: route.rawPath,
    rawQueryString: route.rawQueryString,
    headers: { ...signed(headers, text) },
    ...(headers.cookie !== undefined && { cookies: headers.cookie.split('; ') }),
    ...(route.pathParameters && { pathParameters: route.pathParameters }),
    ...(route.rawQueryString && {
      queryStringParameters: Object.fromEntries(new URLSearchParams(route.rawQueryString)),
    }),
    requestContext: { http: { method, path: route.rawPath } } as APIGatewayProxyEventV2['requestContext'],
    ...(body !== undefined && { body: bytes ? body.toString('base64') : (text as string) }),
    isBase64Encoded: bytes,
  };
}

/** Returns the reply that a client sees for the result of a function. */
export function toReply({
  statusCode = 0,
  headers = {},
  cookies = [],
  body = '',
  isBase64Encoded,
  stream,
}: StreamAnswer): Reply {
  const bytes = stream ? readGreeting(stream) : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const decode = { gzip: gunzipSync, br: brotliDecompressSync }[String(headers['content-encoding'])];
  const text = (decode?.(bytes) ?? bytes).toString();
  return {
    status: statusCode,
    headers: { ...(headers as Record<string, string>), ...(cookies[0] !== undefined && { 'set-cookie': cookies[0] }) },
    text,
    body: /json/.test(String(headers['content-type'])) && text !== '' ? JSON.parse(text) : text || undefined,
  };
}
