import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { addon, addonProvider } from '../../lib/integrations/addon-schema.ts';
import { addons, addonView } from '../../lib/integrations/addons.ts';
import { providers } from '../../lib/integrations/providers.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/addons',
  group: 'Addons',
  summary: 'Lists all addons and the available providers.',
  description: 'Secrets are shown as `*****`.',
  responses: { 200: object({ addons: v.array(addon), providers: v.array(addonProvider) }) },
}).handle(async ({ request }) => ({
  addons: (await addons.list(request)).map((each) => addonView(request, each)),
  providers,
}));
