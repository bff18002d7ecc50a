import { endpoint } from '../../lib/http/endpoint.ts';
import { samlSettings } from '../../lib/schemas/saml-settings.ts';
import { saveSamlSettings } from '../../lib/settings/sign-in-settings.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/auth/saml/settings',
  group: 'Auth',
  summary: 'Stores the SAML settings.',
  permission: 'ADMIN',
  body: samlSettings,
  responses: { 200: samlSettings },
  etag: true,
}).handle(
  ({ table, caller, body }) => saveSamlSettings(table, caller, body),
  (_, { body }) => ({ body }),
);
