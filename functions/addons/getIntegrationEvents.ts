import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { addonPath, integrationEvent } from '../../lib/integrations/addon-schema.ts';
import { addons } from '../../lib/integrations/addons.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/addons/{id}/events',
  group: 'Addons',
  summary: 'Lists the deliveries of an addon: none, since nothing is sent yet.',
  params: addonPath,
  responses: { 200: object({ integrationEvents: v.array(integrationEvent) }) },
  errors: [404],
}).handle(async ({ request, params }) => {
  await addons.load(request, params.id);
  return { integrationEvents: [] };
});
