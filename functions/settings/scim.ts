import { endpointsOf } from '../../lib/http/endpoint.ts';
import { readScimSettings, replaceScimToken, scimSettingsViewOf, switchScim } from '../../lib/people/scim-settings.ts';
import { scimSettings } from '../../lib/people/scim-settings-schema.ts';
import { boolean, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Auth');

export const generateNewScimToken = endpoint({
  route: 'POST /api/admin/scim-settings/generate-new-token',
  summary: 'Makes a new SCIM token, and ends the one before it.',
  description:
    'The directory sends it as `Authorization: Bearer <token>` with requests to `/scim`. It is shown once, and only its hash is stored. Other processes may accept the old token for five more seconds.',
  permission: 'ADMIN',
  responses: { 200: object({ token: text }) },
  etag: true,
  secret: true,
}).handle(
  ({ request, caller }) => replaceScimToken(request, caller),
  (token) => ({ body: { token } }),
);

export const getScimSettings = endpoint({
  route: 'GET /api/admin/scim-settings',
  summary: 'Returns whether SCIM is on, and whether there is a token for it.',
  description: 'While SCIM is on, a directory can create, change and deactivate users and groups at `/scim`.',
  permission: 'ADMIN',
  responses: { 200: scimSettings },
  etag: true,
}).handle(
  ({ request }) => readScimSettings(request),
  (settings) => ({ body: scimSettingsViewOf(settings) }),
);

export const setScimSettings = endpoint({
  route: 'POST /api/admin/scim-settings',
  summary: 'Switches SCIM on or off.',
  description:
    'All processes use the setting within five seconds. While SCIM is on, the names, addresses, passwords and members that the directory manages cannot be changed elsewhere. Switching it off keeps users, groups and the token.',
  permission: 'ADMIN',
  body: object({ enabled: boolean }),
  responses: { 200: scimSettings },
  etag: true,
}).handle(
  ({ request, caller, body }) => switchScim(request, caller, body.enabled),
  (settings) => ({ body: scimSettingsViewOf(settings) }),
);
