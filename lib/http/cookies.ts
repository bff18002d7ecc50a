import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionSeconds } from '../sign-in/sessions.ts';
import { publicUrlOf } from './public-url.ts';

/** Origin of the service, if known. */
type Origin = string | undefined;

const session = 'flagstaff-session';
const signOn = 'flagstaff-sign-on';
const signOnSeconds = 10 * 60;

const isSecure = (origin: Origin) => origin?.startsWith('https:') === true;
/** Returns the name of a cookie. A browser accepts one with the prefix only from this very host, and only with TLS. */
const nameFor = (origin: Origin, name: string) => (isSecure(origin) ? `__Host-${name}` : name);

/** Returns the secret of the session that a request's cookie names. */
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

/** Returns the value that a browser keeps of a sign-on that it has begun. */
export function signOnIn(event: APIGatewayProxyEventV2): string | undefined {
  return cookieIn(event, signOn);
}

/**
 * Returns a `Set-Cookie` header that makes a browser keep the proof that it has begun a sign-on.
 * @param how way back: by a link that is followed, or by a form that another site posts, with which browsers send a
 * cookie only if it says so, and there is TLS.
 */
export function signOnCookie(origin: Origin, value: string, how: 'followed' | 'posted'): string {
  return cookie(origin, signOn, value, signOnSeconds, how === 'posted' && isSecure(origin) ? 'None' : 'Lax');
}

function cookieIn(event: APIGatewayProxyEventV2, name: string): string | undefined {
  // An event that is made by hand may have it as a header only.
  const cookies = event.cookies ?? event.headers.cookie?.split(/; */) ?? [];
  const beginning = `${nameFor(publicUrlOf(event), name)}=`;
  return cookies.find((each) => each.startsWith(beginning))?.slice(beginning.length);
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
