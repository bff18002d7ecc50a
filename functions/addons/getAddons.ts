import * as v from 'valibot';
import { addons, addonView } from '../../lib/addons/addons.ts';
import { providers } from '../../lib/addons/providers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { addon, addonProvider } from '../../lib/schemas/addon.ts';
import { object } from '../../lib/schemas/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/addons',
  group: 'Addons',
  summary: 'Lists all addons, and the providers that there are for them.',
  description: 'Secrets are shown as `*****`. Nothing is sent yet, whether an addon is enabled or not.',
  responses: { 200: object({ addons: v.array(addon), providers: v.array(addonProvider) }) },
}).handle(async ({ request }) => ({
  addons: (await addons.list(request)).map((each) => addonView(request, each)),
  providers,
}));
