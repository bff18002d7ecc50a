import { endpoint } from '../../lib/http/endpoint.ts';
import { simpleSettings } from '../../lib/sign-in/simple-settings-schema.ts';
import { switchPasswords } from '../../lib/sign-in/ways.ts';

export const handler = endpoint({
  route: 'POST /api/admin/auth/simple/settings',
  group: 'Auth',
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
