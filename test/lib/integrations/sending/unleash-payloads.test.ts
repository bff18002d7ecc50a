import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Event } from '../../../../lib/events/event-schema.ts';
import { providers } from '../../../../lib/integrations/providers.ts';
import { prepareDelivery } from '../../../../lib/integrations/sending/requests/prepare.ts';
import { payloadSteps, providerOf, recordedIntegrations, storedEvents } from '../../../compare/payload-script.ts';
import type { ScriptStep } from '../../../compare/step.ts';
import recorded from '../../../fixtures/unleash-7.6-payloads.json' with { type: 'json' };
import type { Service } from '../../../harness/service.ts';
import { test } from '../../../specifications/specify.ts';
import { anAddon } from './event.ts';

type Payload = { readonly headers: object; readonly body: unknown };
type Payloads = Readonly<Record<string, readonly Payload[]>>;
const ofUnleash = recorded as Readonly<Record<string, Payloads>>;

/** Sends a step to our service. @returns the events that it made. */
async function eventsOf(service: Service, { method, path, body, keep = {} }: ScriptStep, kept: Map<string, string>) {
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, name) => kept.get(name) ?? whole);
  const before = await newestEvents(service);
  const sent = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)));
  const reply = await service.call(method, filled(path), { body: sent });
  for (const [name, place] of Object.entries(keep)) kept.set(name, String(reply.body[place]));
  return (await newestEvents(service)).filter(({ id }) => !before.some((each) => each.id === id)).toReversed();
}

async function newestEvents(service: Service): Promise<Event[]> {
  return (await service.get('/api/admin/events')).body.events;
}

/** Makes our payloads of an event, as integration `name` gets them. */
function payloadsOf(name: string, event: Event): Payload[] {
  const provider = providerOf(name);
  if (!providers.find((each) => each.name === provider)?.events.includes(event.type)) return [];
  const url = `https://${name === 'teams' ? 'a.webhook.office.com' : 'receiver.example'}/${name}`;
  const addon = anAddon({ ...recordedIntegrations[name], url }, { provider });
  const at = Date.parse(event.createdAt);
  const { requests } = prepareDelivery(addon, event, { publicUrl: 'https://flags.example.com', groupId: '1', at });
  return requests.map(({ headers, body }) => {
    const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    return { headers, body: JSON.parse(text) };
  });
}

/** The differences that are meant, as changes of what Unleash sends; lib/integrations/sending/README.md gives their reasons. */
const meant: Readonly<Record<string, (payload: Payload) => Payload>> = {
  webhook: ({ headers, body }) => ({ headers, body: ourEvent(body as Event) }),
  template: ({ headers, body }) => {
    const { event, ...others } = body as { readonly event: string };
    return { headers, body: { ...others, event: ourEvent(JSON.parse(event)) } };
  },
  'slack-app': ({ headers, body }) => ({
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body,
  }),
  datadog: ({ headers, body }) => ({
    headers,
    body: { ...(body as object), date_happened: 0, aggregation_key: 'checkout' },
  }),
  'new-relic': ({ headers, body }) => ({ headers, body: flat(body as object) }),
};

/** Each event is of a group; flags say that they are not archived; the event of a removed tag has the tags that are left. */
function ourEvent({ data, preData, tags, ...event }: Event): object {
  const withArchive = (flag: Event['data']) => (flag && 'archived' in flag ? { ...flag, archivedAt: null } : flag);
  return {
    ...{ ...event, data: withArchive(data), preData: withArchive(preData) },
    tags: event.type === 'feature-untagged' ? [] : tags,
    ...{ groupType: 'transaction', groupId: '1' },
  };
}

/** New Relic takes texts and numbers. */
function flat(attributes: object): object {
  const kept = Object.entries(attributes).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, /string|number/.test(typeof value) ? value : JSON.stringify(normal(value, ''))]),
  );
}

/** Payloads in an order of their own, without what differs from run to run and from one server to the next. */
function comparable(payloads: readonly Payload[]): Payload[] {
  const all = payloads.map(({ headers, body }) => ({ headers, body: normal(body, '') }));
  return all.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

const ids = ['id', 'groupId', 'createdAt', 'date_happened'];
/** Sentences are our own. */
const texts = ['text', 'activityTitle'];

function normal(value: unknown, key: string): unknown {
  if (ids.includes(key)) return key;
  if (typeof value === 'string') {
    if (texts.includes(key)) return key;
    // Attributes of New Relic and templates hold JSON.
    return /^[[{]/.test(value) ? normal(JSON.parse(value), '') : value;
  }
  if (Array.isArray(value)) return value.map((each) => normal(each, ''));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, normal(each, name)]));
}

/** Expects our payloads of events to be those that Unleash has sent of them, but for what is meant. */
function expectAlike(title: string, events: readonly Event[]): void {
  for (const name of Object.keys(recordedIntegrations)) {
    const ours = events.flatMap((event) => payloadsOf(name, event));
    const theirs = (ofUnleash[title]?.[name] ?? []).map((payload) => meant[name]?.(payload) ?? payload);
    expect.soft(comparable(ours), `${title}: ${name}`).toEqual(comparable(theirs));
  }
}

test('Integrations get for every change what Unleash 7.6.5 sends, except for intended differences', async ({
  service,
}) => {
  const kept = new Map([['flag', 'checkout']]);
  await service.post('/api/admin/tag-types', { name: 'slack', description: 'Channels', icon: 'S' });
  for (const step of payloadSteps) expectAlike(step.title, await eventsOf(service, step, kept));
});

test('Integrations get for every event type what Unleash 7.6.5 sends, except for intended differences', () => {
  for (const event of storedEvents) expectAlike(event.type, [event]);
});
