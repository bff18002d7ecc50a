import { endpoint } from '../../lib/http/endpoint.ts';
import { saveSingleSignOn, withDefaultRole } from '../../lib/sign-in/sign-in-settings.ts';
import { oidcSettings } from '../../lib/sign-in/sso/oidc-settings-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/auth/oidc/settings',
  group: 'Auth',
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
