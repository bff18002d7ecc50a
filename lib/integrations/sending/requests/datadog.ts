import { consequenceOf } from '../answer.ts';
import { messageOf } from '../message.ts';
import { render } from '../template.ts';
import { cut, mergeHeaders, type Preparing, parameter, requireParameter } from './outgoing.ts';
import { templateView } from './webhook.ts';

/** The site US1. */
const defaultUrl = 'https://api.datadoghq.com/api/v1/events';
/** Datadog's limits: of the text, of the key by which it groups events, and of the age, which is 18 hours. */
const textLengthMax = 4_000;
const keyLengthMax = 100;
const ageMaxMs = 17 * 3_600_000;

/** Posts to the events of Datadog. */
export const datadog: Preparing = (addon, event, circumstances) => {
  const url = parameter(addon, 'url') || defaultUrl;
  const { headers, flaws } = mergeHeaders(addon, {
    'content-type': 'application/json',
    'dd-api-key': requireParameter(addon, 'apiKey'),
  });
  const template = parameter(addon, 'bodyTemplate');
  const text =
    template.length > 1
      ? cut(render(template, templateView(addon, event, circumstances), 'nothing'), textLengthMax)
      : `%%% \n ${cut(unmentioned(messageOf(event, 'markdown', circumstances.publicUrl).text), textLengthMax - 20)} \n %%% `;
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

/** Datadog notifies everybody whom a text mentions. Names and values in our own text are no reason to notify anybody. */
function unmentioned(text: string): string {
  return text.replaceAll(/(?<!\w)@(?=\w)/g, '@\u200b');
}
