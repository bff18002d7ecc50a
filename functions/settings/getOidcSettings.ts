import { endpoint } from '../../lib/http/endpoint.ts';
import { readSignInSettings } from '../../lib/sign-in/sign-in-settings.ts';
import { shownOidcSettings } from '../../lib/sign-in/sso/oidc-settings-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/auth/oidc/settings',
  group: 'Auth',
  summary: 'Returns the OIDC settings; single sign-on is off if none are stored.',
  description: 'The reply holds the secret, which Terraform compares with its own.',
  permission: 'ADMIN',
  responses: { 200: shownOidcSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'oidc'));
