import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import type { HttpReply } from '../idempotency/record-items.ts';
import { hideTokens } from '../identity/tokens/token.ts';
import { timeoutEarlyInMillis } from './deadline.ts';
import type { ErrorPage, LambdaHandler } from './declaration.ts';
import { isKnown } from './etag.ts';
import { audienceOf, authenticate } from './middleware/authenticate.ts';
import { cors } from './middleware/cors.ts';
import { errors } from './middleware/errors.ts';
import { invocation } from './middleware/invocation.ts';
import { openStoreForRequest } from './middleware/open-store.ts';
import { report } from './middleware/report.ts';
import { respond } from './middleware/respond.ts';
import type { ChainRequest, RequestCheck, State } from './middleware/state.ts';
import { assertDecodable } from './middleware/validate.ts';
import { endRefusedStream } from './refuse-streaming.ts';
import { segmentsOf } from './route-matcher.ts';

/** Answers a path without an endpoint, if it has other content. */
export type OtherReply = (path: string, headers: APIGatewayProxyEventV2['headers']) => Promise<HttpReply | undefined>;

/** Paths that exist without methods, as on Unleash: the frontend API reveals neither the configuration of flags nor the state of the service. */
const pathsWithoutMethods = ['client/features', 'health', 'internal-backstage/prometheus'].map(
  (path) => `api/frontend/${path}`,
);

/** Optional parts of a fallback. */
interface FallbackOptions {
  /** Finds other content at a path without an endpoint. */
  readonly other?: OtherReply;
  /**
   * Returns the path under which a gateway finds the endpoint of this path. A gateway matches exactly, and this function does not
   * contain the endpoints, so it redirects clients with a status that keeps the method and the body.
   */
  readonly normalPath?: (method: string, path: string) => Promise<string | undefined>;
  /** Refuses requests regardless of their token. */
  readonly refuse?: RequestCheck;
  readonly errorPage?: ErrorPage;
}

/**
 * Returns the handler for paths and methods without an endpoint. It answers 404 for an unknown path and 405 for another method, in the
 * usual error format; below `/api` only to callers with a token that is accepted there. It answers OPTIONS to everyone.
 * @param allowOn returns the methods of a path for the `Allow` header; undefined for an unknown path.
 */
export function fallback(
  allowOn: (path: string) => Promise<string | undefined>,
  { other, normalPath, refuse, errorPage }: FallbackOptions = {},
): LambdaHandler {
  async function handle(event: APIGatewayProxyEventV2, context: Context & State): Promise<HttpReply> {
    const { rawPath, headers } = event;
    assertDecodable(rawPath);
    const method = methodOf(event);
    const allow = (await allowOn(rawPath)) ?? (isWithoutMethods(rawPath) ? 'OPTIONS' : undefined);
    if (allow === undefined && ['GET', 'HEAD'].includes(method)) {
      const reply = await other?.(rawPath, headers);
      if (reply !== undefined) return withoutKnownBody(reply, headers['if-none-match']);
    }
    const shown = hideTokens(rawPath).slice(0, 200);
    if (allow === undefined) throw new ApiError('NotFoundError', `There is no ${method} ${shown}.`);
    if (method === 'OPTIONS') return { status: 204, headers: { allow }, text: '' };
    const normal = await normalPath?.(method, rawPath);
    if (normal !== undefined && normal !== rawPath) return buildRedirect(normal, event.rawQueryString);
    // A path with a slash at its end lacks a name, so the path without it is not meant.
    if (/[^/]\/+$/.test(rawPath) && !isWithoutMethods(rawPath))
      throw new ApiError('NotFoundError', `There is no ${method} ${shown}.`);
    context.allow = allow;
    throw new ApiError('MethodNotAllowed', `${shown} does not support ${method}; it supports ${allow}.`);
  }

  const chain = middy({ timeoutEarlyInMillis })
    .use(invocation())
    .use(report('$default'))
    .use(cors(({ rawPath }) => audienceOf(rawPath)))
    .use(respond())
    .use(endRefusedStream())
    .use(errors({ ...(errorPage && { errorPage }) }))
    .use(openStoreForRequest());
  if (refuse !== undefined) chain.before(refuse);
  chain.use(authenticateByPath()).handler(handle as never);
  return chain as unknown as LambdaHandler;
}

/**
 * Redirects to a path of this service. Its segments are escaped, so that it cannot lead to another host.
 */
function buildRedirect(path: string, rawQueryString = ''): HttpReply {
  const location = path.split('/').map(encodeURIComponent).join('/');
  return { status: 308, headers: { location: rawQueryString ? `${location}?${rawQueryString}` : location }, text: '' };
}

function withoutKnownBody(reply: HttpReply, ifNoneMatch: string | undefined): HttpReply {
  if (!isKnown(ifNoneMatch, reply.headers.etag)) return reply;
  const { 'content-encoding': _, ...headers } = reply.headers;
  return { status: 304, headers, text: '' };
}

function isWithoutMethods(path: string): boolean {
  return pathsWithoutMethods.includes(segmentsOf(path).join('/').toLowerCase());
}

/** Returns the method of an event. An event that was made by hand may have none. */
function methodOf({ requestContext }: APIGatewayProxyEventV2): string {
  return requestContext?.http?.method ?? 'GET';
}

function authenticateByPath() {
  return {
    before: async function authenticateByPathBefore(request: ChainRequest) {
      if (methodOf(request.event) === 'OPTIONS') return;
      await authenticate({ audience: audienceOf(request.event.rawPath) }).before?.(request);
    },
  };
}
