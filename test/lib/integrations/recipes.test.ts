import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serviceForEach } from '../../specifications/specify.ts';
import { Receiver } from './sending/receiver.ts';
import { TestSender } from './sending/sender.ts';

const page = readFileSync(new URL('../../../lib/integrations/recipes.md', import.meta.url), 'utf8');
const secret = '0123456789abcdef0123456789abcdef';

/** The parameters of a recipe, as the page has them. */
function recipe(name: string): Record<string, string> {
  const text = page.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? '';
  const named = [...text.matchAll(/^- (\w+): `(.+?)`/gm)].map(([, parameter = '', value = '']) => [parameter, value]);
  const template = /```mustache\n([\s\S]*?)```/.exec(text)?.[1];
  const all = { ...Object.fromEntries(named), ...(template !== undefined && { bodyTemplate: template }) };
  return JSON.parse(JSON.stringify(all).replaceAll('SECRET', secret));
}

const short = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));
const moment = v.pipe(v.string(), v.isoTimestamp());
const object = v.record(v.string(), v.unknown());
const bearer = v.literal(`Bearer ${secret}`);

/** The requests that receivers take, by their own documents: headers and bodies. */
const receivers = {
  // https://grafana.com/docs/grafana/latest/developers/http_api/annotations/
  Grafana: v.object({
    headers: v.object({ authorization: bearer }),
    body: v.strictObject({ time: v.pipe(v.number(), v.integer()), tags: v.array(v.string()), text: short(10_000) }),
  }),
  // https://developer.pagerduty.com/docs/send-change-event
  PagerDuty: v.object({
    body: v.strictObject({
      routing_key: v.pipe(v.string(), v.length(32)),
      payload: v.strictObject({ summary: short(1_024), timestamp: moment, source: short(100), custom_details: object }),
    }),
  }),
  // The serializer of Unleash's events in https://github.com/getsentry/sentry (src/sentry/flags/providers.py).
  Sentry: v.object({
    headers: v.object({ authorization: v.pipe(v.string(), v.length(32)) }),
    body: v.looseObject({
      id: v.pipe(v.number(), v.integer()),
      type: v.string(),
      createdAt: moment,
      createdBy: v.string(),
      createdByUserId: v.pipe(v.number(), v.integer()),
      featureName: v.string(),
      project: v.string(),
      environment: v.nullable(v.string()),
      data: v.nullable(object),
      preData: v.nullable(object),
      tags: v.array(v.looseObject({ type: v.string(), value: v.string() })),
    }),
  }),
  // https://docs.github.com/en/rest/repos/repos#create-a-repository-dispatch-event
  GitHub: v.object({
    headers: v.looseObject({ authorization: bearer, accept: v.literal('application/vnd.github+json') }),
    body: v.strictObject({
      event_type: short(100),
      client_payload: v.pipe(
        object,
        v.check((payload) => Object.keys(payload).length <= 10),
      ),
    }),
  }),
  // https://support.atlassian.com/cloud-automation/docs/configure-the-incoming-webhook-trigger-in-atlassian-automation/
  Jira: v.object({
    headers: v.object({ 'x-automation-webhook-token': v.literal(secret) }),
    body: v.strictObject({ data: object }),
  }),
  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  Discord: v.object({
    body: v.strictObject({
      username: short(80),
      embeds: v.array(v.strictObject({ title: short(256), description: short(4_096), timestamp: moment })),
      allowed_mentions: v.strictObject({ parse: v.array(v.never()) }),
    }),
  }),
};

const service = serviceForEach();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
  vi.stubEnv('INTEGRATION_ALLOWED_HOSTS', '127.0.0.1');
});

afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
});

test.each(Object.entries(receivers))('%s accepts the result of its recipe', async (name, schema) => {
  const sending = await new TestSender(service.table).begin();
  receiver.answer = ({ headers, body }) => {
    const { issues } = v.safeParse(schema, { headers, body: JSON.parse(body) });
    return issues === undefined ? { status: 202 } : { status: 400, body: v.summarize(issues) };
  };
  const { url, ...parameters } = recipe(name);
  expect(url ?? '').toMatch(name === 'Jira' ? /^$/ : /^https:/);
  const events = [
    'feature-created',
    'feature-strategy-add',
    'feature-tagged',
    'feature-environment-enabled',
    'feature-archived',
  ];
  const { body: addon } = await service.post('/api/admin/addons', {
    ...{ provider: 'webhook', enabled: true, events, parameters: { ...parameters, url: receiver.url } },
  });
  const flag = '/api/admin/projects/default/features/checkout';
  await service.post('/api/admin/projects/default/features', { name: 'checkout', description: 'A "new" one\n<&>' });
  await service.post(`${flag}/environments/development/strategies`, { name: 'default', title: 'for "all"' });
  await service.post('/api/admin/features/checkout/tags', { type: 'simple', value: '"quoted" \\ value' });
  await service.post(`${flag}/environments/development/on`);
  await service.call('DELETE', flag);
  await sending.notify();
  const { body: sent } = await service.get(`/api/admin/addons/${addon.id}/events`);
  expect(
    sent.integrationEvents.map(({ state, stateDetails }: Record<string, string>) => `${state} ${stateDetails}`),
  ).toEqual(events.map(() => 'success Delivered.'));
});
