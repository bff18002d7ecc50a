import { sessionCookie } from '../../lib/http/cookies.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { finishSaml } from '../../lib/sign-in/sso/saml.ts';

export const handler = endpoint({
  route: 'POST /auth/saml/callback',
  group: 'Auth',
  summary: 'Signs a user in with a SAML assertion of the identity provider, sent as a form.',
  audience: 'public',
  rights: 'count',
  takesForm: true,
  bodyBytesMax: 102_400,
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 302: null },
  errors: [401, 409],
}).handle(
  ({ request, origin, form, signOn, address, session }) =>
    finishSaml(request, requirePublicUrl(origin), form.get('SAMLResponse') ?? '', signOn, { address, session }),
  ({ session }, { origin }) => ({
    headers: { location: '/projects', 'set-cookie': sessionCookie(origin, session) },
  }),
);
