import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { sessionSeconds } from '../sign-in/sessions.ts';

const plainName = 'flagstaff-session';
/** A browser accepts such a cookie only from this very host, and only with TLS. */
const secureName = `__Host-${plainName}`;

/** Where the service is for its caller: behind a gateway or a proxy, that is where these say they are. */
export function originOf({ headers }: Pick<APIGatewayProxyEventV2, 'headers'>): string {
  const scheme = headers['x-forwarded-proto']?.split(',', 1)[0]?.trim().toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host ?? 'localhost'}`;
}

const isSecure = (origin: string) => origin.startsWith('https:');
const nameFor = (origin: string) => (isSecure(origin) ? secureName : plainName);

/** What the cookie of a session says. */
export function sessionIn(event: APIGatewayProxyEventV2): string | undefined {
  // An event that is made by hand may have it as a header only.
  const cookies = event.cookies ?? event.headers.cookie?.split(/; */) ?? [];
  const beginning = `${nameFor(originOf(event))}=`;
  return cookies.find((cookie) => cookie.startsWith(beginning))?.slice(beginning.length);
}

/** Has a browser keep a session. */
export function sessionCookie(origin: string, secret: string): string {
  return cookie(origin, secret, sessionSeconds);
}

/** Has a browser forget it. */
export function noSessionCookie(origin: string): string {
  return cookie(origin, '', 0);
}

function cookie(origin: string, value: string, seconds: number): string {
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
