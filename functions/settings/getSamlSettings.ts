import { endpoint } from '../../lib/http/endpoint.ts';
import { samlSettings } from '../../lib/schemas/saml-settings.ts';
import { loadSamlSettings } from '../../lib/settings/saml-settings-store.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/auth/saml/settings',
  group: 'Auth',
  summary: 'Answers the SAML settings.',
  permission: 'ADMIN',
  responses: { 200: samlSettings },
  errors: [404],
}).handle(({ table }) => loadSamlSettings(table));
