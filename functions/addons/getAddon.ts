import { endpoint } from '../../lib/http/endpoint.ts';
import { addon, addonPath } from '../../lib/integrations/addon-schema.ts';
import { addons, addonView } from '../../lib/integrations/addons.ts';

export const handler = endpoint({
  route: 'GET /api/admin/addons/{id}',
  group: 'Addons',
  summary: 'Returns an addon.',
  description: 'Secrets are shown as `*****`.',
  params: addonPath,
  responses: { 200: addon },
  etag: true,
}).handle(
  ({ request, params }) => addons.load(request, params.id),
  (stored, { request }) => ({ body: addonView(request, stored) }),
);
