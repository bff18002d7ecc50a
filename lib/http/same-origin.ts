import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import { publicUrlOf } from './public-url.ts';

type Sent = Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>;

/** Replaces the other names of this machine with `localhost`. */
const withOneName = (origin: string) => origin.replace(/^http:\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/, 'http://localhost');

/**
 * Returns true if a page of this origin sent the request; undefined if that is unknown. Browsers send it in `Sec-Fetch-Site`, or in
 * `Origin` if the service has no TLS. Pages cannot change either header (https://www.w3.org/TR/fetch-metadata).
 */
function isSameOrigin(event: Sent): boolean | undefined {
  const { 'sec-fetch-site': site, origin } = event.headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return undefined;
  const own = publicUrlOf(event);
  return own !== undefined && withOneName(origin) === withOneName(own);
}

/**
 * Guards a change with a session, since browsers also send its cookie with requests of other sites.
 * @throws ApiError 403 unless a page of this origin is known to have sent the request.
 */
export function assertSameOrigin(event: Sent): void {
  if (isSameOrigin(event) !== true) throw crossOrigin(event);
}

/**
 * Guards a change without a caller, such as signing in.
 * @throws ApiError 403 if a page of another origin sent the request.
 */
export function assertNotCrossOrigin(event: Sent): void {
  if (isSameOrigin(event) === false) throw crossOrigin(event);
}

function crossOrigin(event: Sent): ApiError {
  const own = publicUrlOf(event);
  const advice = own === undefined ? 'set PUBLIC_URL to its address' : `open it at ${own}`;
  return new ApiError(
    'NoAccessError',
    `Signing in, and changes with a session, are only accepted from a page of this service, as the header Sec-Fetch-Site or Origin must show: ${advice}, or send a token.`,
  );
}
