import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import { originOf } from './session-cookie.ts';

type Headers = Pick<APIGatewayProxyEventV2, 'headers'>;

/**
 * Whether a page of this very origin has sent a request; undefined where nothing says who has. Browsers say so by
 * `Sec-Fetch-Site`, and by `Origin` where the service has no TLS; no page can change either
 * (https://www.w3.org/TR/fetch-metadata).
 */
function isSameOrigin(event: Headers): boolean | undefined {
  const { 'sec-fetch-site': site, origin } = event.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined ? undefined : origin === originOf(event);
}

/**
 * For a change with a session, whose cookie a browser sends with requests of other sites, too.
 * @throws ApiError 403 where the request is not known to come from a page of this origin.
 */
export function assertSameOrigin(event: Headers): void {
  if (isSameOrigin(event) !== true) throw crossOrigin();
}

/**
 * For a change that needs no caller, such as signing in.
 * @throws ApiError 403 where a page of another origin has sent the request.
 */
export function assertNotCrossOrigin(event: Headers): void {
  if (isSameOrigin(event) === false) throw crossOrigin();
}

function crossOrigin(): ApiError {
  return new ApiError(
    'NoAccessError',
    'With a session, changes are taken from pages of this service only: send Origin or Sec-Fetch-Site, or a token.',
  );
}
