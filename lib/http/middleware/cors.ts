import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Request } from '../../request.ts';
import { loadOrigins } from '../../settings/frontend-origins.ts';
import type { Audience } from '../declaration.ts';
import { findAllowedOrigin, frontendOrigins } from '../origins.ts';
import type { ChainRequest, Middleware } from './state.ts';

/** The time for which browsers may cache the reply to a preflight request. */
const preflightSeconds = 24 * 60 * 60;

/** The maximum time to load origins that are not in memory. */
const maxLoadMs = 200;

/**
 * Loads the origins that an administrator has set. Without them, or if the store does not answer, returns those of the environment.
 */
async function originsOf(request: Request): Promise<readonly string[]> {
  // If the request was refused, its own signal has aborted and would stop this read.
  const stored = await loadOrigins(request, maxLoadMs).catch(() => undefined);
  return stored ?? frontendOrigins(process.env);
}

/** The audiences whose replies scripts of other sites may read. */
const crossOrigin: readonly Audience[] = ['frontend', 'evaluation'];

/**
 * Lets pages of other sites call the operations for them (https://fetch.spec.whatwg.org/#http-cors-protocol). Every reply names the
 * origin that may read it. The reply to a preflight allows all headers that the page wants to send.
 */
export function cors(audienceOf: (event: APIGatewayProxyEventV2) => Audience | undefined): Middleware {
  async function allow({ event, context, response }: ChainRequest): Promise<void> {
    const audience = audienceOf(event);
    if (audience === undefined || !crossOrigin.includes(audience) || response == null) return;
    const origin = findAllowedOrigin(await originsOf(context.service), event.headers.origin);
    const { vary, allow: methods } = response.headers ?? {};
    const isPreflight = event.requestContext?.http?.method === 'OPTIONS';
    response.headers = {
      ...response.headers,
      ...(origin !== undefined && {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'ETag, Retry-After, Warning, X-Request-Id',
      }),
      ...(origin !== undefined &&
        isPreflight && {
          'access-control-allow-methods': String(methods ?? ''),
          'access-control-allow-headers': event.headers['access-control-request-headers'] ?? '*',
          'access-control-max-age': String(preflightSeconds),
        }),
      vary: [vary, 'origin', ...(isPreflight ? ['access-control-request-headers'] : [])].filter(Boolean).join(', '),
    };
  }

  return { after: allow, onError: allow };
}
