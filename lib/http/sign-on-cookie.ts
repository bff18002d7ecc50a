import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { publicUrlOf } from './public-url.ts';

const plainName = 'flagstaff-sign-on';
const secureName = `__Host-${plainName}`;
const seconds = 10 * 60;

const isSecure = (origin: string | undefined) => origin?.startsWith('https:') === true;
const nameFor = (origin: string | undefined) => (isSecure(origin) ? secureName : plainName);

/** Returns the content of the cookie that ties a browser to the sign-on it has begun. */
export function signOnIn(event: APIGatewayProxyEventV2): string | undefined {
  const cookies = event.cookies ?? event.headers.cookie?.split(/; */) ?? [];
  const beginning = `${nameFor(publicUrlOf(event))}=`;
  return cookies.find((cookie) => cookie.startsWith(beginning))?.slice(beginning.length);
}

/**
 * Has a browser keep what proves that it has begun a sign-on.
 * @param how it comes back: by a link that is followed, or by a form that another site posts, with which browsers send a
 * cookie only if it says so, and there is TLS.
 */
export function signOnCookie(origin: string | undefined, value: string, how: 'followed' | 'posted'): string {
  const sameSite = how === 'posted' && isSecure(origin) ? 'None' : 'Lax';
  const attributes = [
    `${nameFor(origin)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(isSecure(origin) ? ['Secure'] : []),
  ];
  return attributes.join('; ');
}
