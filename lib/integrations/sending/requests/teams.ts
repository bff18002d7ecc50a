import type { Event } from '../../../events/event-schema.ts';
import { escapeMarkdown } from '../../../events/event-summary.ts';
import { consequenceOf } from '../answer.ts';
import { type Message, messageOf } from '../message.ts';
import { cut, mergeHeaders, type Preparing, requireParameter } from './outgoing.ts';

/** Workflows take 28 kB; a character takes up to four bytes, and up to twelve escaped. */
const textLengthMax = 6_000;

/** Posts to a Workflow, or to one of the connectors that Microsoft has switched off, where somebody still has one. */
export const teams: Preparing = (addon, event, { publicUrl }) => {
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

/** A message of Power Automate with a card of version 1.4, which the Workflows of Teams post. */
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

/** The card of Unleash 7.6.5. */
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
