import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Request } from '../../request.ts';
import { loadOrigins } from '../../settings/frontend-origins.ts';
import type { Audience } from '../declaration.ts';
import { findAllowedOrigin, frontendOrigins } from '../origins.ts';
import type { ChainRequest, Middleware } from './state.ts';

/** Time for which a browser may keep the answer to a preflight request. */
const preflightSeconds = 24 * 60 * 60;

/** The most that a caller waits for what is not in memory. */
const patienceMs = 200;

/**
 * Reads the origins that an administrator has set, or else those of the service, which also hold if the store cannot
 * answer.
 */
async function originsOf(request: Request): Promise<readonly string[]> {
  // Of a request that was refused nothing else is asked any more.
  const signal = AbortSignal.timeout(patienceMs);
  const stored = await loadOrigins({ ...request, signal }).catch(() => undefined);
  return stored ?? frontendOrigins(process.env);
}

/** Audiences whose answers scripts of other sites may read. */
const crossOrigin: readonly Audience[] = ['frontend', 'evaluation'];

/**
 * Lets pages of other sites call the operations meant for them (https://fetch.spec.whatwg.org/#http-cors-protocol):
 * every answer names the sites that may read it, and the answer to a preflight allows whatever headers the page is
 * about to send.
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
