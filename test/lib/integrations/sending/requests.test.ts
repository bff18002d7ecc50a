import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Unsendable } from '../../../../lib/integrations/sending/requests/outgoing.ts';
import { prepareDelivery } from '../../../../lib/integrations/sending/requests/prepare.ts';
import { anAddon, anEvent } from './event.ts';

const home = 'https://flags.example.com';
const feature = `${home}/projects/default/features/checkout`;
const circumstances = { publicUrl: home, groupId: '6', at: Date.parse('2026-11-25T12:00:05Z') };
const text = `*ada* switched on *<${feature}|checkout>* in *production* of the project *<${home}/projects/default|default>*`;
const markdown = `**ada** switched on **[checkout](${feature})** in **production** of the project **[default](${home}/projects/default)**`;

function prepared(provider: string, parameters: Record<string, string>, event = anEvent()) {
  const found = prepareDelivery(anAddon(parameters, { provider }), event, circumstances);
  const texts = found.requests.map(({ body, headers }) =>
    String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body),
  );
  return {
    ...found,
    get bodies() {
      return texts.map((each) => JSON.parse(each));
    },
  };
}

// The forms in full are in unleash-payloads.test.ts, where Unleash has them.

describe('A webhook', () => {
  const url = 'https://hook.example.com/secret/path?key=1';

  test('gets the event with its group, and the headers of the integration', () => {
    const { requests, bodies, details, flaws } = prepared('webhook', {
      url,
      authorization: 'Bearer a',
      customHeaders: '{"X-Team":"b","Content-Type":"application/vnd.team+json"}',
    });
    expect(bodies).toEqual([{ ...anEvent(), groupType: 'transaction', groupId: '6' }]);
    expect(requests[0]).toMatchObject({ url, target: '' });
    expect(requests[0]?.headers).toEqual({
      authorization: 'Bearer a',
      'x-team': 'b',
      'content-type': 'application/vnd.team+json',
    });
    expect(details).toEqual({ url: 'https://hook.example.com/…', contentType: 'application/json' });
    expect(flaws).toEqual([]);
  });

  test('gets an event of a change request with the request as its group, also by a template', () => {
    const group = { groupType: 'change-request', groupId: 'change-request-12' } as const;
    expect(prepared('webhook', { url }, anEvent(group)).bodies).toEqual([anEvent(group)]);
    const bodyTemplate = '{"type":"{{event.groupType}}","id":"{{event.groupId}}"}';
    expect(prepared('webhook', { url, bodyTemplate }, anEvent(group)).bodies).toEqual([
      { type: group.groupType, id: group.groupId },
    ]);
  });

  test('gets the result of its template, and the log omits the secret', () => {
    const { requests, details } = prepared('webhook', {
      url,
      secret: 'k-e-y',
      bodyTemplate: '{"key":"{{secret}}","by":"{{event.createdBy}}","text":"{{eventMarkdown}}","at":{{timestamp}}}',
    });
    const at = Date.parse('2026-11-25T12:00:00Z');
    expect(JSON.parse(String(requests[0]?.body))).toEqual({ key: 'k-e-y', by: 'ada', text: markdown, at });
    expect(JSON.stringify(details)).not.toContain('k-e-y');
  });

  test.each(['{"key":"{{secret}}"}', '{"key":"{{{secret}}}"}', '{"key":["{{secret.0}}","{{secret.1}}"]}'])(
    'shows nothing of a secret by %s, whatever is in it',
    (bodyTemplate) => {
      const { details } = prepared('webhook', { url, secret: 'K"Q', bodyTemplate });
      expect(JSON.stringify(details)).not.toMatch(/[KQ]/);
    },
  );

  test('gets an event even with invalid headers or an invalid template, and the log says so', () => {
    const customHeaders = '{"webhook-id":"mine","good":"1","bad\\n":"2"}';
    const { requests, flaws } = prepared('webhook', { url, customHeaders, bodyTemplate: 'no JSON' });
    expect(requests[0]?.headers).toEqual({ 'content-type': 'application/json', good: '1' });
    expect(flaws).toHaveLength(2);
  });
});

describe('Slack', () => {
  const tags = [
    { type: 'slack', value: 'team-a' },
    { type: 'simple', value: 'x' },
  ];

  test('gets one message of the app in each tagged or set channel', () => {
    const parameters = { accessToken: 'xoxb-1', defaultChannels: 'all, team-a' };
    const { requests, bodies, details } = prepared('slack-app', parameters, anEvent({ tags }));
    expect(requests.map(({ target }) => target)).toEqual(['team-a', 'all']);
    expect(requests[0]?.headers.authorization).toBe('Bearer xoxb-1');
    expect(bodies[0]).toMatchObject({ channel: 'team-a', text, blocks: [{ text: { text } }, {}] });
    expect(details).toEqual({ channels: ['team-a', 'all'], message: text });
  });

  test('gets nothing without a channel', () => {
    expect(() => prepared('slack-app', { accessToken: 'xoxb-1' })).toThrow(Unsendable);
  });

  test('gets a message of the incoming webhook in the tagged channels, or else in the default one', () => {
    const parameters = { url: 'https://hooks.slack.com/services/a', defaultChannel: 'all' };
    expect(prepared('slack', parameters, anEvent({ tags })).bodies.map(({ channel }) => channel)).toEqual(['#team-a']);
    const { bodies } = prepared('slack', parameters);
    expect(bodies[0]).toMatchObject({ channel: '#all', username: 'Unleash', icon_emoji: ':unleash:', text });
    expect(bodies[0].attachments[0].actions[0]).toMatchObject({ type: 'button', url: feature });
  });
});

describe('Teams', () => {
  test('gets an Adaptive Card for its Workflows', () => {
    const { bodies } = prepared('teams', { url: 'https://prod.logic.azure.com/workflows/1' });
    expect(bodies[0]).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: markdown, wrap: true },
              {
                type: 'FactSet',
                facts: [
                  { title: 'User', value: 'ada' },
                  { title: 'Action', value: 'feature-environment-enabled' },
                ],
              },
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Open in Unleash', url: feature }],
          },
        },
      ],
    });
  });

  test('gets escaped names, in the text and in the facts', () => {
    const event = anEvent({ createdBy: '[Sign in](https://evil.example)' });
    for (const host of ['prod.logic.azure.com', 'a.webhook.office.com']) {
      const { requests } = prepared('teams', { url: `https://${host}/1` }, event);
      expect(requests[0]?.body).not.toContain('[Sign in](');
    }
  });

  test('stays within the 28 kB of a Workflow, whatever the event contains', () => {
    const data = { parameters: { groupId: '"\\🙂'.repeat(5_000) } };
    const event = anEvent({ type: 'feature-strategy-update', data, preData: {} });
    const { requests } = prepared('teams', { url: 'https://prod.logic.azure.com/workflows/1' }, event);
    expect(Buffer.byteLength(requests[0]?.body ?? '')).toBeLessThan(28_000);
  });

  test('gets the card of Unleash at a connector', () => {
    const { bodies } = prepared('teams', { url: 'https://a.webhook.office.com/webhookb2/1' });
    expect(bodies[0]).toMatchObject({ themeColor: '0076D7', sections: [{ activityTitle: markdown }] });
  });
});

describe('Datadog', () => {
  test('gets an event with its tags and its time', () => {
    const event = anEvent({ tags: [{ type: 'datadog', value: 'team-a' }] });
    const { requests, bodies } = prepared('datadog', { apiKey: 'key', sourceTypeName: 'flags' }, event);
    expect(requests[0]).toMatchObject({ url: 'https://api.datadoghq.com/api/v1/events' });
    expect(requests[0]?.headers).toMatchObject({ 'dd-api-key': 'key' });
    expect(bodies[0]).toMatchObject({
      ...{ text: `%%% \n ${markdown} \n %%% `, tags: ['datadog:team-a'], source_type_name: 'flags' },
      date_happened: Date.parse('2026-11-25T12:00:00Z') / 1000,
    });
  });

  test('notifies nobody by a name or a value, only by a template', () => {
    const event = anEvent({ createdBy: '@on-call of a@b.example' });
    const textOf = (parameters = {}) => prepared('datadog', { apiKey: 'key', ...parameters }, event).bodies[0].text;
    expect(textOf()).toMatch(/@\u200bon.*a@b/);
    expect(textOf({ bodyTemplate: '@team: {{event.createdBy}}' })).toBe('@team: @on-call of a@b.example');
  });

  test('gets an old event without its time, which it would refuse', () => {
    const { bodies } = prepared('datadog', { apiKey: 'key' }, anEvent({ createdAt: '2026-11-24T12:00:00.000Z' }));
    expect(bodies[0]).not.toHaveProperty('date_happened');
  });
});

test('New Relic gets only texts and numbers, none of them nested or too long', () => {
  const event = anEvent({ data: { deep: { a: 1 }, long: 'x'.repeat(10_000), on: true }, environment: null });
  const { requests, bodies } = prepared('new-relic', { url: 'https://nr.example.com', licenseKey: 'key' }, event);
  expect(requests[0]?.headers).toMatchObject({ 'api-key': 'key', 'content-encoding': 'gzip' });
  expect(bodies[0]).toMatchObject({ deep: '{"a":1}', long: `${'x'.repeat(4_095)}…`, on: 'true' });
  expect(bodies[0]).not.toHaveProperty('environment');
});

describe('EventBridge', () => {
  const busArn = 'arn:aws:events:eu-west-1:123456789012:event-bus/flags';

  test('gets the event on its bus, in the region of the bus', () => {
    const { requests, bodies } = prepared('eventbridge', { busArn });
    expect(requests[0]).toMatchObject({ url: 'https://events.eu-west-1.amazonaws.com/', isOfAws: true });
    const [entry] = bodies[0].Entries;
    expect(entry).toMatchObject({
      EventBusName: busArn,
      Source: 'flagstaff',
      DetailType: 'feature-environment-enabled',
      Resources: ['project/default', 'feature/checkout'],
    });
    expect(JSON.parse(entry.Detail)).toEqual({ ...anEvent(), groupType: 'transaction', groupId: '6' });
  });

  test('gets a large event without its content, with a note', () => {
    const { bodies } = prepared('eventbridge', { busArn }, anEvent({ data: { a: 'x'.repeat(300_000) } }));
    expect(JSON.parse(bodies[0].Entries[0].Detail)).toMatchObject({ truncated: true, data: null });
  });

  test('gets nothing without a valid bus', () => {
    expect(() => prepared('eventbridge', { busArn: 'arn:aws:sns:eu-west-1:1:topic' })).toThrow(Unsendable);
  });
});
