import { signOnCookie } from '../../lib/http/cookies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { beginSaml } from '../../lib/sign-in/sso/saml.ts';

export const handler = endpoint({
  route: 'GET /auth/saml/login',
  group: 'Auth',
  summary: 'Redirects a browser to the identity provider, to sign in with SAML.',
  audience: 'public',
  rights: 'count',
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 302: null },
  errors: [401],
}).handle(
  ({ request, origin }) => beginSaml(request, requirePublicUrl(origin)),
  ({ url, nonce }, { origin }) => ({ headers: { location: url, 'set-cookie': signOnCookie(origin, nonce, 'posted') } }),
);
