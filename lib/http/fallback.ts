import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import type { HttpReply } from '../idempotency/receipt-items.ts';
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
import { segmentsOf } from './route-matcher.ts';

/** Answers a path that no endpoint takes, if there is something else than endpoints. */
export type OtherReply = (path: string, headers: APIGatewayProxyEventV2['headers']) => Promise<HttpReply | undefined>;

/** Paths that are known and take no method, as on Unleash: the frontend API shows neither how flags are configured nor the service. */
const pathsWithoutMethods = ['client/features', 'health', 'internal-backstage/prometheus'].map(
  (path) => `api/frontend/${path}`,
);

/** Parts of a fallback that not every function needs. */
interface FallbackOptions {
  /** Finds further content at an unknown path. */
  readonly other?: OtherReply;
  /**
   * Returns the path by which a gateway would have found the endpoint of this one. A gateway matches to the letter, and this
   * function does not hold the endpoints, so it redirects clients there; the status makes them keep method and body.
   */
  readonly normalPath?: (method: string, path: string) => Promise<string | undefined>;
  /** Refuses requests whatever their token. */
  readonly refuse?: RequestCheck;
  readonly errorPage?: ErrorPage;
}

/**
 * Returns the handler of every path and method that no endpoint takes: 404 for an unknown path, 405 for another method,
 * both in the format of all errors; below `/api` only to callers with a token that is accepted there. OPTIONS is
 * answered to everybody.
 * @param allowOn returns the methods of a path, as `Allow` lists them; undefined for an unknown path.
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
      if (reply !== undefined) return unlessKnown(reply, headers['if-none-match']);
    }
    const shown = hideTokens(rawPath).slice(0, 200);
    if (allow === undefined) throw new ApiError('NotFoundError', `There is no ${method} ${shown}.`);
    if (method === 'OPTIONS') return { status: 204, headers: { allow }, text: '' };
    const normal = await normalPath?.(method, rawPath);
    if (normal !== undefined && normal !== rawPath) return redirectTo(normal, event.rawQueryString);
    // It lacks a name at its end: what stands before it was not meant.
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
    .use(errors({ ...(errorPage && { errorPage }) }))
    .use(openStoreForRequest());
  if (refuse !== undefined) chain.before(refuse);
  chain.use(authenticateByPath()).handler(handle as never);
  return chain as unknown as LambdaHandler;
}

/**
 * Redirects to a path that begins with a word of ours and whose segments are escaped, so that it cannot lead to another
 * host.
 */
function redirectTo(path: string, rawQueryString = ''): HttpReply {
  const location = path.split('/').map(encodeURIComponent).join('/');
  return { status: 308, headers: { location: rawQueryString ? `${location}?${rawQueryString}` : location }, text: '' };
}

function unlessKnown(reply: HttpReply, ifNoneMatch: string | undefined): HttpReply {
  return isKnown(ifNoneMatch, reply.headers.etag) ? { ...reply, status: 304, text: '' } : reply;
}

function isWithoutMethods(path: string): boolean {
  return pathsWithoutMethods.includes(segmentsOf(path).join('/').toLowerCase());
}

/** Returns the method of an event; one made by hand may lack it. */
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
