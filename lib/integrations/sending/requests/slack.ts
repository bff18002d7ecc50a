import type { Event } from '../../../events/event-schema.ts';
import { consequenceOf, slackConsequence } from '../answer.ts';
import { messageOf } from '../message.ts';
import { type BuildDelivery, cut, maskUrl, mergeHeaders, parameter, requireParameter, Unsendable } from './outgoing.ts';

/** Slack's limit of the text of a section. */
const textLengthMax = 3_000;
/** The most channels of one event. */
const channelsMax = 20;
const postMessage = 'https://slack.com/api/chat.postMessage';
const buttonText = 'Open in Unleash';

/** Returns the channels of the tags of a feature, with the channel of a tag that the event removes. */
function taggedChannels({ type: eventType, tags, preData }: Event): string[] {
  const removed = eventType === 'feature-untagged' ? [preData as unknown as Event['tags'][number]] : [];
  return [...tags, ...removed].filter(({ type }) => type === 'slack').map(({ value }) => value);
}

const limitChannels = (channels: readonly string[]) =>
  [...new Set(channels)].filter((channel) => channel !== '').slice(0, channelsMax);

/** Builds the requests of the app: to the channels of tags and those of the integration. */
export const slackApp: BuildDelivery = (addon, event, { publicUrl }) => {
  const accessToken = requireParameter(addon, 'accessToken');
  const channels = limitChannels([
    ...taggedChannels(event),
    ...parameter(addon, 'defaultChannels')
      .split(',')
      .map((channel) => channel.trim()),
  ]);
  if (channels.length === 0)
    throw new Unsendable('The feature has no tag of the type slack, and the integration has no channel.');
  const { text: whole, link } = messageOf(event, 'slack', publicUrl);
  const text = cut(whole, textLengthMax);
  const button = {
    type: 'button',
    url: link,
    text: { type: 'plain_text', text: buttonText },
    value: 'featureToggle',
    style: 'primary',
  };
  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text } },
    ...(link === undefined ? [] : [{ type: 'actions', elements: [button] }]),
  ];
  return {
    requests: channels.map((channel) => ({
      target: channel,
      url: postMessage,
      headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ channel, text, blocks, unfurl_links: false }),
    })),
    details: { channels, message: text },
    flaws: [],
    consequenceOf: slackConsequence,
  };
};

/** Builds the requests to an incoming webhook: to the channels of tags, or else to the channel of the integration. */
export const slack: BuildDelivery = (addon, event, { publicUrl }) => {
  const url = requireParameter(addon, 'url');
  const username = parameter(addon, 'username') || 'Unleash';
  const tagged = limitChannels(taggedChannels(event));
  const channels = tagged.length > 0 ? tagged : [requireParameter(addon, 'defaultChannel')];
  const { headers, flaws } = mergeHeaders(addon, { 'content-type': 'application/json' });
  const { text: whole, link } = messageOf(event, 'slack', publicUrl);
  const text = cut(whole, textLengthMax);
  const button = {
    name: 'featureToggle',
    text: buttonText,
    type: 'button',
    value: 'featureToggle',
    style: 'primary',
    url: link,
  };
  return {
    requests: channels.map((channel) => ({
      target: channel,
      url,
      headers,
      body: JSON.stringify({
        username,
        icon_emoji: parameter(addon, 'emojiIcon') || ':unleash:',
        text,
        channel: `#${channel}`,
        attachments: link === undefined ? [] : [{ actions: [button] }],
      }),
    })),
    details: { url: maskUrl(url), channels, username, message: text },
    flaws,
    consequenceOf,
  };
};
