import { consequenceOf } from '../answer.ts';
import { messageOf } from '../message.ts';
import { render } from '../template.ts';
import { type BuildDelivery, cut, mergeHeaders, parameter, requireParameter } from './outgoing.ts';
import { templateView } from './webhook.ts';

/** The address of the site US1. */
const defaultUrl = 'https://api.datadoghq.com/api/v1/events';
/** Datadog's limits of the text, of the aggregation key, and of the age, which is 18 hours. */
const textLengthMax = 4_000;
const keyLengthMax = 100;
const ageMaxMs = 17 * 3_600_000;

/** Builds the request to the event API of Datadog. */
export const datadog: BuildDelivery = (addon, event, circumstances) => {
  const url = parameter(addon, 'url') || defaultUrl;
  const { headers, flaws } = mergeHeaders(addon, {
    'content-type': 'application/json',
    'dd-api-key': requireParameter(addon, 'apiKey'),
  });
  const template = parameter(addon, 'bodyTemplate');
  const text =
    template.length > 1
      ? cut(render(template, templateView(addon, event, circumstances), 'nothing'), textLengthMax)
      : `%%% \n ${cut(withoutMentions(messageOf(event, 'markdown', circumstances.publicUrl).text), textLengthMax - 20)} \n %%% `;
  const happenedAt = Date.parse(event.createdAt);
  const sourceTypeName = parameter(addon, 'sourceTypeName');
  const body = {
    text,
    title: 'Unleash notification update',
    tags: event.tags.map(({ type, value }) => `${type}:${value}`),
    ...(sourceTypeName !== '' && { source_type_name: sourceTypeName }),
    ...(circumstances.at - happenedAt < ageMaxMs && { date_happened: Math.floor(happenedAt / 1000) }),
    ...(event.featureName !== null && { aggregation_key: cut(event.featureName, keyLengthMax) }),
  };
  return {
    requests: [{ target: '', url, headers, body: JSON.stringify(body) }],
    details: { url, body },
    flaws,
    consequenceOf,
  };
};

/** Returns a text without mentions, since Datadog would notify people whose names appear in it. */
function withoutMentions(text: string): string {
  return text.replaceAll(/(?<!\w)@(?=\w)/g, '@\u200b');
}
