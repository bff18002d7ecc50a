import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as registry from '../../../functions/index.ts';
import { notFound } from '../../../functions/service/not-found.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { createRouter, type Route } from '../../../lib/http/local/router.ts';
import { signed } from '../../harness/edge-signature.ts';
import type { ReadyOperation } from './operations.ts';

/** A request that no well-meaning client makes. */
export interface HostileRequest {
  /** Fault of the request, in a few words. */
  readonly what: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes travel in base64, as API Gateway sends them. */
  readonly body?: string | Buffer | undefined;
  /** Makes of the event what only a direct caller of the function can send. */
  readonly change?: (event: APIGatewayProxyEventV2) => unknown;
}

/** Returns the request of an operation that succeeds, with some changes. */
export function alteredRequest(
  { method, target, headers, body }: ReadyOperation,
  what: string,
  alterations: Partial<Omit<HostileRequest, 'what'>>,
): HostileRequest {
  return { what, method, target, headers, body, ...alterations };
}

const router = createRouter(registry as Record<string, Endpoint>, notFound);

/** Returns the event that API Gateway makes of a request, and the function that it goes to. */
export function gatewayEvent(request: HostileRequest): { route: Route; event: APIGatewayProxyEventV2 } {
  const { method, target, headers, body, change } = request;
  const route = router(method, target);
  const { routeKey, rawPath, rawQueryString, pathParameters } = route;
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    query.set(name, query.has(name) ? `${query.get(name)},${value}` : value);
  }
  const event = {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    headers: { ...signed(headers, body) },
    ...(pathParameters && { pathParameters: { ...pathParameters } }),
    ...(query.size > 0 && { queryStringParameters: Object.fromEntries(query) }),
    requestContext: { http: { method, path: rawPath } } as APIGatewayProxyEventV2['requestContext'],
    ...(body !== undefined && { body: Buffer.isBuffer(body) ? body.toString('base64') : body }),
    isBase64Encoded: Buffer.isBuffer(body),
  };
  return { route, event: (change?.(event) ?? event) as APIGatewayProxyEventV2 };
}

const shownMax = 300;

/** Describes a request for a report, with all that is needed to send it again. */
export function describeRequest({ what, method, target, headers, body }: HostileRequest): string {
  const shownHeaders = Object.entries(headers)
    .filter(([name]) => !['accept', 'host'].includes(name))
    .map(([name, value]) => `${name}: ${name === 'authorization' ? value.slice(0, 12) : shown(value)}`);
  const sent = Buffer.isBuffer(body) ? `bytes ${shown(body.toString('hex'))}` : shown(body ?? '');
  const lines = [`${method} ${shown(target)}  (${what})`, `  ${shownHeaders.join(' | ')}`];
  if (sent !== '') lines.push(`  ${sent}`);
  return lines.join('\n');
}

function shown(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}… (${text.length} characters)` : text;
}
