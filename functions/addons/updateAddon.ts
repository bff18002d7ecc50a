import { endpoint } from '../../lib/http/endpoint.ts';
import { addon, addonInput, addonPath } from '../../lib/integrations/addon-schema.ts';
import { addonView, updateAddon } from '../../lib/integrations/addons.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/addons/{id}',
  group: 'Addons',
  summary: 'Updates an addon.',
  description:
    'A secret that is sent as `*****` stays as it is, but is refused with another address, which would learn it. The next ' +
    'attempt uses what is saved; what waits because the receiver fails is tried at once.',
  permission: 'UPDATE_ADDON',
  params: addonPath,
  body: addonInput,
  reads: ['INTEGRATION_ALLOWED_HOSTS'],
  responses: { 200: addon },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateAddon(request, caller, params.id, body),
  (stored, { request }) => ({ body: addonView(request, stored) }),
);
