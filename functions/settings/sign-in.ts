import { endpointsOf } from '../../lib/http/endpoint.ts';
import { simpleSettings } from '../../lib/sign-in/sign-in-schema.ts';
import { readSignInSettings, saveSingleSignOn, withDefaultRole } from '../../lib/sign-in/sign-in-settings.ts';
import { oidcSettings, shownOidcSettings } from '../../lib/sign-in/sso/oidc-settings-schema.ts';
import { samlSettings, shownSamlSettings } from '../../lib/sign-in/sso/saml-settings-schema.ts';
import { switchPasswords } from '../../lib/sign-in/ways.ts';

const endpoint = endpointsOf('Auth');

export const getOidcSettings = endpoint({
  route: 'GET /api/admin/auth/oidc/settings',
  summary: 'Returns the OIDC settings. Single sign-on is off if there are none.',
  description: 'The reply includes the secret, since Terraform compares it with its own.',
  permission: 'ADMIN',
  agents: 'refused',
  responses: { 200: shownOidcSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'oidc'));

export const getSamlSettings = endpoint({
  route: 'GET /api/admin/auth/saml/settings',
  summary: 'Returns the SAML settings. Single sign-on is off if there are none.',
  description:
    '`POST` with the same path changes them. `GET /auth/saml/metadata` returns what the identity provider needs.',
  permission: 'ADMIN',
  responses: { 200: shownSamlSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'saml'));

export const getSimpleSettings = endpoint({
  route: 'GET /api/admin/auth/simple/settings',
  summary: 'Returns the settings of password sign-in.',
  description: 'Every user may read them, since the profile page needs them.',
  responses: { 200: simpleSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'simple'));

export const setOidcSettings = endpoint({
  route: 'POST /api/admin/auth/oidc/settings',
  summary: 'Stores the OIDC settings.',
  description:
    'Addresses of the identity provider must begin with https://, unless they are loopback addresses. If `defaultRootRoleId` is 0, `defaultRootRole` is used, or Viewer if that is omitted.',
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
    'Addresses of the identity provider must begin with https://, unless they are loopback addresses. If `defaultRootRoleId` is 0, `defaultRootRole` is used, or Viewer if that is omitted.',
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
  summary: 'Turns password sign-in off or on. It can be turned off only if another way to sign in works.',
  description:
    'Only an admin token, or a user who signed in through SAML or OIDC with the current settings, can turn it off. Without usable settings of SAML or OIDC, password sign-in is on regardless of this setting.',
  permission: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'],
  body: simpleSettings,
  responses: { 200: simpleSettings },
  etag: true,
}).handle(
  ({ request, caller, body, session }) => switchPasswords(request, caller, body, session),
  (_, { body }) => ({ body }),
);
