import { endpoint } from '../../lib/http/endpoint.ts';
import { saveSingleSignOn, withDefaultRole } from '../../lib/sign-in/sign-in-settings.ts';
import { samlSettings } from '../../lib/sign-in/sso/saml-settings-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/auth/saml/settings',
  group: 'Auth',
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
