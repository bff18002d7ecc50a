import { signOnCookie } from '../../lib/http/cookies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { beginOidc } from '../../lib/sign-in/sso/oidc.ts';

export const handler = endpoint({
  route: 'GET /auth/oidc/login',
  group: 'Auth',
  summary: 'Redirects a browser to the identity provider, to sign in with OpenID Connect.',
  audience: 'public',
  rights: 'count',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 302: null },
  errors: [401],
}).handle(
  ({ request, origin }) => beginOidc(request, requirePublicUrl(origin)),
  ({ url, state }, { origin }) => ({
    headers: { location: url, 'set-cookie': signOnCookie(origin, state, 'followed') },
  }),
);
