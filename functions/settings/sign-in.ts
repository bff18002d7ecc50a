import { endpointsOf } from '../../lib/http/endpoint.ts';
import { simpleSettings } from '../../lib/sign-in/sign-in-schema.ts';
import { readSignInSettings, saveSingleSignOn, withDefaultRole } from '../../lib/sign-in/sign-in-settings.ts';
import { oidcSettings, shownOidcSettings } from '../../lib/sign-in/sso/oidc-settings-schema.ts';
import { samlSettings, shownSamlSettings } from '../../lib/sign-in/sso/saml-settings-schema.ts';
import { switchPasswords } from '../../lib/sign-in/ways.ts';

const endpoint = endpointsOf('Auth');

export const getOidcSettings = endpoint({
  route: 'GET /api/admin/auth/oidc/settings',
  summary: 'Returns the OIDC settings; single sign-on is off if none are stored.',
  description: 'The reply holds the secret, which Terraform compares with its own.',
  permission: 'ADMIN',
  responses: { 200: shownOidcSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'oidc'));

export const getSamlSettings = endpoint({
  route: 'GET /api/admin/auth/saml/settings',
  summary: 'Returns the SAML settings; single sign-on is off if none are stored.',
  description: '`POST` at the same path changes them. `GET /auth/saml/metadata` has what the identity provider needs.',
  permission: 'ADMIN',
  responses: { 200: shownSamlSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'saml'));

export const getSimpleSettings = endpoint({
  route: 'GET /api/admin/auth/simple/settings',
  summary: 'Returns the settings of password sign-in.',
  description: 'Every user may read it, since the profile page depends on it.',
  responses: { 200: simpleSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'simple'));

export const setOidcSettings = endpoint({
  route: 'POST /api/admin/auth/oidc/settings',
  summary: 'Stores the OIDC settings.',
  description:
    'Addresses of the identity provider begin with https://, but on this machine. A `defaultRootRoleId` of 0 is taken for the ' +
    'role of `defaultRootRole`, and for Viewer without it.',
  permission: 'ADMIN',
  body: oidcSettings,
  responses: { 200: oidcSettings },
  etag: true,
  secret: true,
}).handle(
  ({ request, caller, body }) => saveSingleSignOn(request, caller, 'oidc', body),
  (_, { body }) => ({ body: withDefaultRole(body) }),
);

export const setSamlSettings = endpoint({
  route: 'POST /api/admin/auth/saml/settings',
  summary: 'Stores the SAML settings.',
  description:
    'Addresses of the identity provider begin with https://, but on this machine. A `defaultRootRoleId` of 0 is taken for the ' +
    'role of `defaultRootRole`, and for Viewer without it.',
  permission: 'ADMIN',
  body: samlSettings,
  responses: { 200: samlSettings },
  etag: true,
}).handle(
  ({ request, caller, body }) => saveSingleSignOn(request, caller, 'saml', body),
  (_, { body }) => ({ body: withDefaultRole(body) }),
);

export const setSimpleSettings = endpoint({
  route: 'POST /api/admin/auth/simple/settings',
  summary: 'Turns password sign-in off or on; turning it off requires another way to sign in that is proven to work.',
  description:
    'They go off only for a session that began by SAML or OIDC as it is set now, or for an admin token. Without a usable ' +
    'setting of SAML or OIDC they are on, whatever is set here.',
  permission: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'],
  body: simpleSettings,
  responses: { 200: simpleSettings },
  etag: true,
}).handle(
  ({ request, caller, body, session }) => switchPasswords(request, caller, body, session),
  (_, { body }) => ({ body }),
);
