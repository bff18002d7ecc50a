import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import { publicUrlOf } from './public-url.ts';

type Sent = Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>;

/** Replaces the other names of this machine by `localhost`. */
const withOneName = (origin: string) => origin.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/, 'http://localhost');

/**
 * Tells whether a page of this very origin sent a request; undefined if nothing tells. Browsers report it in
 * `Sec-Fetch-Site`, or, if the service has no TLS, in `Origin`; no page can change either
 * (https://www.w3.org/TR/fetch-metadata).
 */
function isSameOrigin(event: Sent): boolean | undefined {
  const { 'sec-fetch-site': site, origin } = event.headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return undefined;
  const own = publicUrlOf(event);
  return own !== undefined && withOneName(origin) === withOneName(own);
}

/**
 * Guards a change with a session, whose cookie a browser also sends with requests of other sites.
 * @throws ApiError 403 unless the request is known to come from a page of this origin.
 */
export function assertSameOrigin(event: Sent): void {
  if (isSameOrigin(event) !== true) throw crossOrigin(event);
}

/**
 * Guards a change that needs no caller, such as signing in.
 * @throws ApiError 403 if a page of another origin has sent the request.
 */
export function assertNotCrossOrigin(event: Sent): void {
  if (isSameOrigin(event) === false) throw crossOrigin(event);
}

function crossOrigin(event: Sent): ApiError {
  const own = publicUrlOf(event);
  const advice = own === undefined ? 'set PUBLIC_URL to its address' : `open it at ${own}`;
  return new ApiError(
    'NoAccessError',
    `Signing in and changes with a session need the Origin or Sec-Fetch-Site of a page of this service: ${advice}, or send a token.`,
  );
}
