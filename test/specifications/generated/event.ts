import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as registry from '../../../functions/index.ts';
import { notFound } from '../../../functions/service/not-found.ts';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import { createRouter } from '../../../lib/http/local/router.ts';
import { signed } from '../../harness/edge-signature.ts';
import { type Reply, toReply } from '../../harness/gateway.ts';
import type { Example } from '../example.ts';
import type { NamedSpecification } from '../specification.ts';

const router = createRouter(registry as Record<string, Endpoint>, notFound);
const host = 'localhost:3000';

/** The event of payload 2.0 that API Gateway makes of an example, with the token of the local runtime. */
export function eventOf(
  { may }: NamedSpecification,
  { method, target, headers, body }: Example,
): APIGatewayProxyEventV2 {
  const { routeKey, rawPath, rawQueryString, pathParameters } = router(method, target);
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    headers: {
      accept: 'application/json',
      host,
      ...(may !== 'anyone' && { authorization: insecureLocalToken }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(rawQueryString && { queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)) }),
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
    // A form is text already.
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

/** Replaces the random parts of a text, so that it is the same each time. */
export function withoutChance(text: string): string {
  const ids = new Map<string, string>();
  const fixed = (id: string) => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  return (
    text
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, fixed)
      .replaceAll(/\b([\da-f]{16}|[\da-f]{32}|[\da-f]{56}|[\da-f]{64}|[\da-f]{7}(?=\*{3}))(?!\w)/g, (secret) =>
        '0'.repeat(secret.length),
      )
      .replaceAll(/\b(\d{1,16})\.[\w-]{43}(?![\w-])/g, `$1.${'0'.repeat(43)}`)
      .replaceAll(/(?<=HMAC [\w-]+:)[\w-]{43}(?![\w-])/g, '0'.repeat(43))
      // Hashes of events, and the token of a directory.
      .replaceAll(/(?<=")[\w-]{43}(?=")/g, '0'.repeat(43))
      .replaceAll(/(?<=SAMLResponse=)[^"&]+/g, 'PHNhbWxwOlJlc3BvbnNl')
      .replaceAll(/(?<="id": )\d{11,16}\b/g, '100000000000000')
      .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T00:00:00.000Z')
      // Seconds since 1970.
      .replaceAll(/(?<=[" ])1[789]\d{8}(?=[",])/g, '1767225600')
      .replaceAll(new Date().toISOString().slice(0, 10), '2026-01-01')
  );
}

/** @throws Error where the registry does not have it. */
export function endpointOf(operationId: string): Endpoint {
  const endpoint = (registry as Readonly<Record<string, Endpoint>>)[operationId];
  if (endpoint === undefined) throw new Error(`functions/index.ts has no line for ${operationId}: add one.`);
  return endpoint;
}

/**
 * Calls the endpoint of an operation with an event, as Lambda would.
 * @param adminToken token of the store that replaces the one of the local runtime.
 */
export async function carryOutEvent(
  { operationId }: NamedSpecification,
  event: APIGatewayProxyEventV2,
  adminToken: string,
): Promise<Reply> {
  const endpoint = endpointOf(operationId);
  const { routeKey, headers, requestContext } = event;
  const token = headers.authorization === insecureLocalToken ? { authorization: adminToken } : {};
  const context = toContext({ routeKey, handler: endpoint } as never, requestContext.requestId);
  // A new event, since the endpoint puts the value of the body in the place of its text.
  return toReply(
    await endpoint(
      { ...event, headers: { ...signed(headers as Record<string, string>, event.body), ...token } },
      context,
    ),
  );
}
