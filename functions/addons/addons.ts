import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { addon, addonInput, addonPath, addonProvider, againInput } from '../../lib/integrations/addon-schema.ts';
import * as integrations from '../../lib/integrations/addons.ts';
import { askAgain } from '../../lib/integrations/ask-again.ts';
import { providers } from '../../lib/integrations/providers.ts';
import { listSentEvents } from '../../lib/integrations/sent-log.ts';
import { integrationEvent, sentSearch } from '../../lib/integrations/sent-log-schema.ts';
import { idText, object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Addons');

export const createAddon = endpoint({
  route: 'POST /api/admin/addons',
  summary: 'Creates an addon.',
  description:
    'Its parameters depend on its provider; `GET /api/admin/addons` lists them. Secrets are stored, and shown as `*****`. While the addon is enabled, it sends the events of later changes that match its filters and that the user who saved it may see.',
  permission: 'CREATE_ADDON',
  body: addonInput,
  reads: ['INTEGRATION_ALLOWED_HOSTS'],
  responses: { 201: addon },
  etag: true,
}).handle(
  ({ request, caller, body }) => integrations.createAddon(request, caller, body),
  (stored, { request }) => ({
    headers: { location: `/api/admin/addons/${stored.id}` },
    body: integrations.addonView(request, stored),
  }),
);

export const deleteAddon = endpoint({
  route: 'DELETE /api/admin/addons/{id}',
  summary: 'Deletes an addon.',
  description: 'It sends no further events. To pause it instead, update it with `enabled: false`.',
  permission: 'DELETE_ADDON',
  params: object({ id: idText }),
  responses: { 200: null },
  etag: 'checked',
}).handle(async ({ request, caller, params }) => integrations.addons.remove(request, caller, params.id));

export const getAddon = endpoint({
  route: 'GET /api/admin/addons/{id}',
  summary: 'Returns an addon.',
  description: 'Secrets are shown as `*****`.',
  params: addonPath,
  responses: { 200: addon },
  etag: true,
}).handle(
  ({ request, params }) => integrations.addons.load(request, params.id),
  (stored, { request }) => ({ body: integrations.addonView(request, stored) }),
);

export const getAddons = endpoint({
  route: 'GET /api/admin/addons',
  summary: 'Lists all addons and the available providers.',
  description: 'Secrets are shown as `*****`.',
  responses: { 200: object({ addons: v.array(addon), providers: v.array(addonProvider) }) },
}).handle(async ({ request }) => ({
  addons: (await integrations.addons.list(request)).map((addon) => integrations.addonView(request, addon)),
  providers,
}));

export const getIntegrationEvents = endpoint({
  route: 'GET /api/admin/addons/{id}/events',
  summary: 'Lists the events of an addon that were sent, are waiting or were given up, newest first.',
  description:
    'There is an entry for each matching event of the last 30 days, with its state, the message and each attempt. A waiting event has the state `failed`, and `stateDetails` has the time of the next attempt. `state=failed` selects waiting events and those that were given up. A request searches the newest 20,000 entries.',
  permission: 'ADMIN',
  params: addonPath,
  query: sentSearch,
  responses: { 200: object({ integrationEvents: v.array(integrationEvent) }) },
}).handle(async ({ request, params, query }) => ({
  integrationEvents: await listSentEvents(request, params.id, query),
}));

export const sendIntegrationEvents = endpoint({
  route: 'POST /api/admin/addons/{id}/events',
  summary: 'Sends events to an addon again, or sends a test message.',
  description:
    "`{}` sends a made-up event of the addon's first type. Otherwise, `ids` and `failed` select events of its log whose last attempt was between `since` and `until`. Without `ids` and `failed`, all matching events of that time are sent, however old, but at most 10,000. They are sent soon after the reply, in order and one at a time, with their original `webhook-id`. The log of the addon shows the results. At most 10 such requests per addon can wait.",
  permission: 'UPDATE_ADDON',
  params: addonPath,
  body: againInput,
  responses: { 202: null },
}).handle(({ request, caller, params, body }) => askAgain(request, caller, params.id, body));

export const updateAddon = endpoint({
  route: 'PUT /api/admin/addons/{id}',
  summary: 'Updates an addon.',
  description:
    'A secret that is sent as `*****` keeps its value. With another address that is refused, since the new address would get the secret. The next attempt uses the new settings, and events that wait because the receiver failed are tried at once.',
  permission: 'UPDATE_ADDON',
  params: addonPath,
  body: addonInput,
  reads: ['INTEGRATION_ALLOWED_HOSTS'],
  responses: { 200: addon },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => integrations.updateAddon(request, caller, params.id, body),
  (stored, { request }) => ({ body: integrations.addonView(request, stored) }),
);
