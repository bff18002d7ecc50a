import { endpoint } from '../../lib/http/endpoint.ts';
import { oidcSettings } from '../../lib/schemas/oidc-settings.ts';
import { saveOidcSettings } from '../../lib/settings/sign-in-settings.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/auth/oidc/settings',
  group: 'Auth',
  summary: 'Stores the OIDC settings.',
  permission: 'ADMIN',
  body: oidcSettings,
  responses: { 200: oidcSettings },
  etag: true,
  secret: true,
}).handle(
  ({ table, caller, body }) => saveOidcSettings(table, caller, body),
  (_, { body }) => ({ body }),
);
