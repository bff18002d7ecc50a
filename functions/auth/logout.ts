import { noSessionCookie } from '../../lib/http/cookies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { endSession } from '../../lib/sign-in/sessions.ts';

export const handler = endpoint({
  route: 'POST /logout',
  group: 'Auth',
  summary: 'Ends the session of the caller, and redirects their browser to a page that confirms it.',
  description: 'It does so without a session, too.',
  audience: 'public',
  responses: { 302: null },
  // The address of an identity provider may hold a token of the user.
  secret: true,
  duringMaintenance: true,
}).handle(
  ({ request, session }) => endSession(request, session),
  ({ signOutUrl = '/signed-out' }, { origin }) => ({
    headers: { location: signOutUrl, 'set-cookie': noSessionCookie(origin) },
  }),
);
