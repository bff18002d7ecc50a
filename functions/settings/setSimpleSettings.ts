import { endpoint } from '../../lib/http/endpoint.ts';
import { simpleSettings } from '../../lib/schemas/simple-settings.ts';
import { saveSimpleSettings } from '../../lib/sign-in/ways.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/auth/simple/settings',
  group: 'Auth',
  summary: 'Switches signing in with passwords off or on; not off where it is the only way in.',
  permission: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'],
  body: simpleSettings,
  responses: { 200: simpleSettings },
}).handle(
  ({ table, caller, body }) => saveSimpleSettings(table, caller, body),
  (_, { body }) => ({ body }),
);
