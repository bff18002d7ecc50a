import { noSessionCookie, sessionCookie } from '../../lib/http/cookies.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { userViewOf } from '../../lib/people/account-views.ts';
import { user } from '../../lib/people/user-schema.ts';
import { endSession } from '../../lib/sign-in/sessions.ts';
import { signIn } from '../../lib/sign-in/sign-in.ts';
import { count, object, textOfLength } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Auth');

export const login = endpoint({
  route: 'POST /auth/simple/login',
  summary: 'Signs a user in with a password.',
  description:
    'The reply sets the cookie of a session, which ends after two days without use. The reply is 429 after 10 wrong passwords for a name, or 100 from an address, within 15 minutes, until that time is over.',
  audience: 'public',
  // Hashing a password makes a call as expensive as a hundred others.
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ username: textOfLength(1, 254), password: textOfLength(1, 1000) }),
  responses: { 200: object({ ...user.entries, activeSessions: count, deletedSessions: count }) },
  duringMaintenance: true,
  secret: true,
  errors: [401],
}).handle(
  ({ request, body, address, session }) => signIn(request, body, { address, session }),
  ({ user, session, activeSessions, deletedSessions }, { origin }) => ({
    headers: { 'set-cookie': sessionCookie(origin, session) },
    body: { ...userViewOf(user), activeSessions, deletedSessions },
  }),
);

export const logout = endpoint({
  route: 'POST /logout',
  summary: "Ends the caller's session, and redirects the browser to a page that confirms it.",
  description: 'It also works without a session.',
  audience: 'public',
  responses: { 302: null },
  // The address of the identity provider, to which the reply redirects, may contain a token of the user.
  secret: true,
  duringMaintenance: true,
}).handle(
  ({ request, session }) => endSession(request, session),
  ({ signOutUrl = '/signed-out' }, { origin }) => ({
    headers: { location: signOutUrl, 'set-cookie': noSessionCookie(origin) },
  }),
);
