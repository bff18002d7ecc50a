import * as v from 'valibot';
import { sessionCookie } from '../../lib/http/cookies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { finishOidc } from '../../lib/sign-in/sso/oidc.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /auth/oidc/callback',
  group: 'Auth',
  summary: 'Signs a user in with the code that the identity provider has sent.',
  audience: 'public',
  rights: 'count',
  throttle: { ratePerSecond: 20, burst: 40 },
  query: object({
    state: v.exactOptional(text),
    code: v.exactOptional(text),
    iss: v.exactOptional(text),
    error: v.exactOptional(text),
    error_description: v.exactOptional(text),
  }),
  responses: { 302: null },
  errors: [401, 409],
}).handle(
  ({ request, origin, query, signOn, address, session }) =>
    finishOidc(request, requirePublicUrl(origin), query, signOn, { address, session }),
  ({ session }, { origin }) => ({
    headers: { location: '/projects', 'set-cookie': sessionCookie(origin, session) },
  }),
);
