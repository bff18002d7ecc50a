import type { Event } from '../../../events/event-schema.ts';
import { labelOf } from '../../../events/event-summary.ts';
import { parseJson } from '../../../values/json.ts';
import type { Addon } from '../../addons.ts';
import { consequenceOf } from '../answer.ts';
import { messageOf } from '../message.ts';
import { render } from '../template.ts';
import { type Circumstances, maskUrl, mergeHeaders, type Preparing, parameter, requireParameter } from './outgoing.ts';

/** Returns the event as receivers get it, in Unleash's form; its group is its change request, as in the event log, or else its change. */
export function eventBody(event: Event, change: Pick<Circumstances, 'groupId'>): object {
  const { groupType = 'transaction', groupId = change.groupId } = event;
  return { ...event, groupType, groupId };
}

/** Tells whether a content type is that of JSON. */
function isJsonType(contentType: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(contentType);
}

/** Returns the things that a template can name: those of Unleash, and more that receivers ask for. */
export function templateView(addon: Addon, event: Event, circumstances: Circumstances): object {
  const { text, link } = messageOf(event, 'markdown', circumstances.publicUrl);
  const shown = eventBody(event, circumstances);
  return {
    event: shown,
    // Twice, as in Unleash: within a template it is a text that holds JSON.
    eventJson: JSON.stringify(JSON.stringify(shown)),
    eventMarkdown: text,
    label: labelOf(event.type),
    timestamp: Date.parse(event.createdAt),
    url: link ?? '',
    secret: parameter(addon, 'secret'),
  };
}

export const webhook: Preparing = (addon, event, circumstances) => {
  const url = requireParameter(addon, 'url');
  const contentType = parameter(addon, 'contentType') || 'application/json';
  const authorization = parameter(addon, 'authorization');
  const template = parameter(addon, 'bodyTemplate');
  const { headers, flaws } = mergeHeaders(addon, {
    'content-type': contentType,
    ...(authorization !== '' && { authorization }),
  });
  const isJson = isJsonType(contentType);
  // Unleash takes a template of a single character for none.
  const rendered = (more: object) =>
    render(template, { ...templateView(addon, event, circumstances), ...more }, isJson ? 'json' : 'nothing');
  const hasTemplate = template.length > 1;
  const body = hasTemplate ? rendered({}) : JSON.stringify(eventBody(event, circumstances));
  return {
    requests: [{ target: '', url, headers, body, ...(parameter(addon, 'signingSecret') !== '' && { isSigned: true }) }],
    details: {
      url: maskUrl(url),
      contentType,
      // The event itself is shown from the event log.
      ...(hasTemplate && { body: parameter(addon, 'secret') === '' ? body : rendered({ secret: '*****' }) }),
    },
    flaws: [
      ...flaws,
      ...(isJson && parseJson(body) === undefined ? ['The body is not JSON, though its content type says so.'] : []),
    ],
    consequenceOf,
  };
};
