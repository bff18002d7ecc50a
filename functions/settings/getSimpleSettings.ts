import { endpoint } from '../../lib/http/endpoint.ts';
import { readSignInSettings } from '../../lib/sign-in/sign-in-settings.ts';
import { simpleSettings } from '../../lib/sign-in/simple-settings-schema.ts';

export const handler = endpoint({
  route: 'GET /api/admin/auth/simple/settings',
  group: 'Auth',
  summary: 'Returns the settings of password sign-in.',
  description: 'Every user may read it, since the profile page depends on it.',
  responses: { 200: simpleSettings },
  etag: true,
}).handle(({ request }) => readSignInSettings(request, 'simple'));
