import { endpoint } from '../../lib/http/endpoint.ts';
import { readSimpleSettings } from '../../lib/sign-in/sign-in-settings.ts';
import { simpleSettings } from '../../lib/sign-in/simple-settings-schema.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/auth/simple/settings',
  group: 'Auth',
  summary: 'Returns whether signing in with passwords is switched off.',
  description: 'Everybody may know it: the page of their profile offers a new password or not.',
  responses: { 200: simpleSettings },
  etag: true,
}).handle(({ request }) => readSimpleSettings(request));
