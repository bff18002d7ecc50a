import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionSeconds } from '../sign-in/sessions.ts';
import { publicUrlOf } from './public-url.ts';

/** Origin of the service, if known. */
type Origin = string | undefined;

const session = 'flagstaff-session';
const signOn = 'flagstaff-sign-on';
const signOnSeconds = 10 * 60;

const isSecure = (origin: Origin) => origin?.startsWith('https:') === true;
/** Returns the name of a cookie. Browsers accept the prefix only for cookies that this host itself set over TLS. */
const nameFor = (origin: Origin, name: string) => (isSecure(origin) ? `__Host-${name}` : name);

/** Returns the secret of the session in a request's cookie. */
export function sessionIn(event: APIGatewayProxyEventV2): string | undefined {
  return cookieIn(event, session);
}

/** Returns a `Set-Cookie` header that makes a browser keep a session. */
export function sessionCookie(origin: Origin, secret: string): string {
  return cookie(origin, session, secret, sessionSeconds);
}

/** Returns a `Set-Cookie` header that makes a browser forget its session. */
export function noSessionCookie(origin: Origin): string {
  return cookie(origin, session, '', 0);
}

/** Returns the value of the cookie of a sign-on that this browser began. */
export function signOnIn(event: APIGatewayProxyEventV2): string | undefined {
  return cookieIn(event, signOn);
}

/**
 * Returns a `Set-Cookie` header with the proof that this browser began a sign-on.
 * @param how the way back from the identity provider: a link that the browser follows, or a form that it posts from the other site.
 * With such a form, browsers send a cookie only with `SameSite=None`, which needs TLS.
 */
export function signOnCookie(origin: Origin, value: string, how: 'followed' | 'posted'): string {
  return cookie(origin, signOn, value, signOnSeconds, how === 'posted' && isSecure(origin) ? 'None' : 'Lax');
}

function cookieIn(event: APIGatewayProxyEventV2, name: string): string | undefined {
  // An event that was made by hand may have cookies only in the header.
  const cookies = event.cookies ?? event.headers.cookie?.split(/; */) ?? [];
  const prefix = `${nameFor(publicUrlOf(event), name)}=`;
  return cookies.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

function cookie(origin: Origin, name: string, value: string, seconds: number, sameSite: 'Lax' | 'None' = 'Lax') {
  const attributes = [
    `${nameFor(origin, name)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(isSecure(origin) ? ['Secure'] : []),
  ];
  return attributes.join('; ');
}
