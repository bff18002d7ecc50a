import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as registry from '../../../functions/index.ts';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import { signed } from '../../harness/edge-signature.ts';
import { type Reply, toReply } from '../../harness/gateway.ts';
import type { NamedSpecification } from '../specification.ts';

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
