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
    'Its parameters depend on its provider; `GET /api/admin/addons` lists them. Secrets are stored, and shown ' +
    'as `*****`. Once it is enabled, it sends the events of all later changes that its filters let through and that ' +
    'the one who saves it may see.',
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
  description: 'It sends nothing more from then on. To stop one for a while, update it with `enabled: false`.',
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
  addons: (await integrations.addons.list(request)).map((each) => integrations.addonView(request, each)),
  providers,
}));

export const getIntegrationEvents = endpoint({
  route: 'GET /api/admin/addons/{id}/events',
  summary: 'Lists the events that were sent to an addon, wait or were given up, newest first.',
  description:
    'An entry for each event of the last 30 days that the addon is about: its state, what was sent and each attempt. One ' +
    'that waits is `failed`, and `stateDetails` says when the next attempt is; `state=failed` shows these, and what was ' +
    'given up, alone. A request looks back on the newest 20,000 entries.',
  permission: 'ADMIN',
  params: addonPath,
  query: sentSearch,
  responses: { 200: object({ integrationEvents: v.array(integrationEvent) }) },
}).handle(async ({ request, params, query }) => ({
  integrationEvents: await listSentEvents(request, params.id, query),
}));

export const sendIntegrationEvents = endpoint({
  route: 'POST /api/admin/addons/{id}/events',
  summary: 'Sends events to an addon once more, or a test message.',
  description:
    '`{}` sends a made-up event of its first type. Otherwise those events are sent that fit all that is said: `ids` and ' +
    '`failed` choose among the events of its log, whose last attempt was from `since` to `until`; without them it is all ' +
    'events of that time that it is about, however old, and at most 10,000. They are sent soon after the reply, in order and ' +
    'one at a time, each with its `webhook-id` of before; its log shows what came of them. At most 10 requests of an addon wait at a time.',
  permission: 'UPDATE_ADDON',
  params: addonPath,
  body: againInput,
  responses: { 202: null },
}).handle(({ request, caller, params, body }) => askAgain(request, caller, params.id, body));

export const updateAddon = endpoint({
  route: 'PUT /api/admin/addons/{id}',
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
  ({ request, caller, params, body }) => integrations.updateAddon(request, caller, params.id, body),
  (stored, { request }) => ({ body: integrations.addonView(request, stored) }),
);
