import type { Event } from '../../../events/event-schema.ts';
import { labelEventType } from '../../../events/event-summary.ts';
import { parseJson } from '../../../values/json.ts';
import type { Addon } from '../../addon-schema.ts';
import { consequenceOf } from '../answer.ts';
import { messageOf } from '../message.ts';
import { render } from '../template.ts';
import {
  type BuildDelivery,
  type Circumstances,
  maskUrl,
  mergeHeaders,
  parameter,
  requireParameter,
} from './outgoing.ts';

/** Returns an event in the form of Unleash. Its group is its change request, as in the event log, or else its change. */
export function eventBody(event: Event, change: Pick<Circumstances, 'groupId'>): object {
  const { groupType = 'transaction', groupId = change.groupId } = event;
  return { ...event, groupType, groupId };
}

/** Tells whether a content type is JSON. */
function isJsonType(contentType: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(contentType);
}

/** Returns the values for templates: those of Unleash, and further ones for receivers. */
export function templateView(addon: Addon, event: Event, circumstances: Circumstances): object {
  const { text, link } = messageOf(event, 'markdown', circumstances.publicUrl);
  const body = eventBody(event, circumstances);
  return {
    event: body,
    // Encoded twice, as in Unleash: in a template it is a text with JSON.
    eventJson: JSON.stringify(JSON.stringify(body)),
    eventMarkdown: text,
    label: labelEventType(event.type),
    timestamp: Date.parse(event.createdAt),
    url: link ?? '',
    secret: parameter(addon, 'secret'),
  };
}

export const webhook: BuildDelivery = (addon, event, circumstances) => {
  const url = requireParameter(addon, 'url');
  const contentType = parameter(addon, 'contentType') || 'application/json';
  const authorization = parameter(addon, 'authorization');
  const template = parameter(addon, 'bodyTemplate');
  const { headers, flaws } = mergeHeaders(addon, {
    'content-type': contentType,
    ...(authorization !== '' && { authorization }),
  });
  const isJson = isJsonType(contentType);
  // As on Unleash, a template of a single character means no template.
  const renderWith = (more: object) =>
    render(template, { ...templateView(addon, event, circumstances), ...more }, isJson ? 'json' : 'nothing');
  const hasTemplate = template.length > 1;
  const body = hasTemplate ? renderWith({}) : JSON.stringify(eventBody(event, circumstances));
  return {
    requests: [{ target: '', url, headers, body, ...(parameter(addon, 'signingSecret') !== '' && { isSigned: true }) }],
    details: {
      url: maskUrl(url),
      contentType,
      // The log of the integration shows the event from the event log.
      ...(hasTemplate && { body: parameter(addon, 'secret') === '' ? body : renderWith({ secret: '*****' }) }),
    },
    flaws: [
      ...flaws,
      ...(isJson && parseJson(body) === undefined ? ['The content type is JSON, but the body is not.'] : []),
    ],
    consequenceOf,
  };
};
