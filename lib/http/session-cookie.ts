import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionSeconds } from '../sign-in/sessions.ts';
import { publicUrlOf } from './public-url.ts';

const plainName = 'flagstaff-session';
/** A browser accepts such a cookie only from this very host, and only with TLS. */
const secureName = `__Host-${plainName}`;

const isSecure = (origin: string | undefined) => origin?.startsWith('https:') === true;
const nameFor = (origin: string | undefined) => (isSecure(origin) ? secureName : plainName);

/** Returns the content of the session cookie. */
export function sessionIn(event: APIGatewayProxyEventV2): string | undefined {
  // An event that is made by hand may have it as a header only.
  const cookies = event.cookies ?? event.headers.cookie?.split(/; */) ?? [];
  const beginning = `${nameFor(publicUrlOf(event))}=`;
  return cookies.find((cookie) => cookie.startsWith(beginning))?.slice(beginning.length);
}

/** Has a browser keep a session. */
export function sessionCookie(origin: string | undefined, secret: string): string {
  return cookie(origin, secret, sessionSeconds);
}

/** Has a browser forget it. */
export function noSessionCookie(origin: string | undefined): string {
  return cookie(origin, '', 0);
}

function cookie(origin: string | undefined, value: string, seconds: number): string {
  const attributes = [
    `${nameFor(origin)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(origin) ? ['Secure'] : []),
  ];
  return attributes.join('; ');
}
