import { endpoint } from '../../lib/http/endpoint.ts';
import { addon, addonInput } from '../../lib/integrations/addon-schema.ts';
import { addonView, createAddon } from '../../lib/integrations/addons.ts';

export const handler = endpoint({
  route: 'POST /api/admin/addons',
  group: 'Addons',
  summary: 'Creates an addon.',
  description:
    'Its parameters depend on its provider; `GET /api/admin/addons` lists them. Secrets are stored, and shown ' +
    'as `*****`. Once it is enabled, it sends the events of all later changes that its filters let through and that ' +
    'the one who saves it may see.',
  permission: 'CREATE_ADDON',
  body: addonInput,
  reads: ['INTEGRATION_ALLOWED_HOSTS'],
  responses: { 201: addon },
  etag: true,
}).handle(
  ({ request, caller, body }) => createAddon(request, caller, body),
  (stored, { request }) => ({
    headers: { location: `/api/admin/addons/${stored.id}` },
    body: addonView(request, stored),
  }),
);
