import { endpoint } from '../../lib/http/endpoint.ts';
import { addons } from '../../lib/integrations/addons.ts';
import { idText, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/addons/{id}',
  group: 'Addons',
  summary: 'Deletes an addon.',
  permission: 'DELETE_ADDON',
  params: object({ id: idText }),
  responses: { 200: null },
  etag: 'checked',
}).handle(async ({ request, caller, params }) => addons.remove(request, caller, params.id));
