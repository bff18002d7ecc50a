import type { Event } from '../../../events/event-schema.ts';
import { escapeMarkdown } from '../../../events/event-summary.ts';
import { consequenceOf } from '../answer.ts';
import { type Message, messageOf } from '../message.ts';
import { type BuildDelivery, cut, mergeHeaders, requireParameter } from './outgoing.ts';

/** The most characters of a text. Workflows accept 28 kB, and an escaped character takes up to twelve bytes. */
const textLengthMax = 6_000;

/** Builds the request to a Workflow, or to a connector, which Microsoft has switched off for most users. */
export const teams: BuildDelivery = (addon, event, { publicUrl }) => {
  const url = requireParameter(addon, 'url');
  const { headers, flaws } = mergeHeaders(addon, { 'content-type': 'application/json' });
  const message = messageOf(event, 'markdown', publicUrl);
  const isConnector = URL.parse(url)?.hostname.endsWith('.webhook.office.com') === true;
  const body = isConnector ? messageCard(event, message) : adaptiveCard(event, message);
  return {
    requests: [{ target: '', url, headers, body: JSON.stringify(body) }],
    details: { body },
    flaws,
    consequenceOf,
  };
};

function factsOf({ createdBy, type }: Event) {
  return [
    { name: 'User', value: escapeMarkdown(createdBy) },
    { name: 'Action', value: type },
  ];
}

/** Builds a message of Power Automate with a card of version 1.4, for Workflows of Teams. */
function adaptiveCard(event: Event, { text, link }: Message) {
  const facts = factsOf(event).map(({ name, value }) => ({ title: name, value }));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: cut(text, textLengthMax), wrap: true },
      { type: 'FactSet', facts },
    ],
    ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Unleash', url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

/** Builds the card of Unleash 7.6.5. */
function messageCard(event: Event, { text, link }: Message) {
  const action = { '@type': 'OpenUri', name: 'Go to feature', targets: [{ os: 'default', uri: link }] };
  const section = {
    activityTitle: cut(text, textLengthMax),
    activitySubtitle: 'Unleash notification update',
    facts: factsOf(event),
  };
  return {
    themeColor: '0076D7',
    summary: 'Message',
    sections: [section],
    potentialAction: link === undefined ? [] : [action],
  };
}
