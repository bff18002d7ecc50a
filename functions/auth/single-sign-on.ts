import * as v from 'valibot';
import { sessionCookie, signOnCookie } from '../../lib/http/cookies.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { signOnErrorPage } from '../../lib/pages/error-page.ts';
import * as oidc from '../../lib/sign-in/sso/oidc.ts';
import * as saml from '../../lib/sign-in/sso/saml.ts';
import { object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Auth');

/** People see these replies in a browser, so errors are pages. */
const errorPage = signOnErrorPage;

export const finishOidc = endpoint({
  route: 'GET /auth/oidc/callback',
  summary: 'Signs a user in with the code from the identity provider.',
  description:
    'The identity provider redirects the browser here. It must be the browser that called `/auth/oidc/login`. It gets a session cookie and is redirected to `/projects`. Every error is the same 401; the log has the reason.',
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
  errorPage,
  responses: { 302: null },
  errors: [401, 409],
}).handle(
  ({ request, origin, query, signOn, address, session }) =>
    oidc.finishOidc(request, requirePublicUrl(origin), query, signOn, { address, session }),
  ({ session }, { origin }) => ({
    headers: { location: '/projects', 'set-cookie': sessionCookie(origin, session) },
  }),
);

export const finishSaml = endpoint({
  route: 'POST /auth/saml/callback',
  summary: 'Signs a user in with a SAML assertion of the identity provider, sent as a form.',
  description:
    'The assertion must be signed, and must answer a sign-on that began at `/auth/saml/login`. The browser gets a session cookie and is redirected to `/projects`. Every error is the same 401; the log has the reason.',
  audience: 'public',
  rights: 'count',
  takesForm: true,
  bodyBytesMax: 102_400,
  throttle: { ratePerSecond: 20, burst: 40 },
  errorPage,
  responses: { 302: null },
  errors: [401, 409],
}).handle(
  ({ request, origin, form, signOn, address, session }) =>
    saml.finishSaml(request, requirePublicUrl(origin), form.get('SAMLResponse') ?? '', signOn, { address, session }),
  ({ session }, { origin }) => ({
    headers: { location: '/projects', 'set-cookie': sessionCookie(origin, session) },
  }),
);

export const getSamlMetadata = endpoint({
  route: 'GET /auth/saml/metadata',
  summary: 'Returns the SAML metadata of this service, as XML.',
  description: 'Give its address to the identity provider. It works before SAML is configured.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  contentType: 'application/samlmetadata+xml; charset=utf-8',
  responses: { 200: v.string() },
}).handle(({ request, origin }) => saml.buildSamlMetadata(request, requirePublicUrl(origin)));

export const startOidc = endpoint({
  route: 'GET /auth/oidc/login',
  summary: 'Redirects a browser to the identity provider, to sign in with OpenID Connect.',
  description:
    'A cookie ties the sign-on to this browser. The reply is 401 if single sign-on is off, or the identity provider cannot be used; the log has the reason.',
  audience: 'public',
  rights: 'count',
  throttle: { ratePerSecond: 20, burst: 40 },
  errorPage,
  responses: { 302: null },
  errors: [401],
}).handle(
  ({ request, origin }) => oidc.beginOidc(request, requirePublicUrl(origin)),
  ({ url, state }, { origin }) => ({
    headers: { location: url, 'set-cookie': signOnCookie(origin, state, 'followed') },
  }),
);

export const startSaml = endpoint({
  route: 'GET /auth/saml/login',
  summary: 'Redirects a browser to the identity provider, to sign in with SAML.',
  description:
    'A cookie ties the sign-on to this browser. The reply is 401 if SAML is off or its settings are incomplete.',
  audience: 'public',
  rights: 'count',
  throttle: { ratePerSecond: 20, burst: 40 },
  errorPage,
  responses: { 302: null },
  errors: [401],
}).handle(
  ({ request, origin }) => saml.beginSaml(request, requirePublicUrl(origin)),
  ({ url, nonce }, { origin }) => ({ headers: { location: url, 'set-cookie': signOnCookie(origin, nonce, 'posted') } }),
);
