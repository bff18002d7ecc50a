import { endpoint } from '../../lib/http/endpoint.ts';
import { readSignInSettings } from '../../lib/sign-in/sign-in-settings.ts';
import { shownSamlSettings } from '../../lib/sign-in/sso/saml-settings-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/auth/saml/settings',
  group: 'Auth',
  summary: 'Returns the SAML settings; single sign-on is off if none are stored.',
  permission: 'ADMIN',
  responses: { 200: shownSamlSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'saml'));
