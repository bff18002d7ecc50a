import { gzipSync } from 'node:zlib';
import type { Event } from '../../../events/event-schema.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../values/json.ts';
import { consequenceOf } from '../answer.ts';
import { render } from '../template.ts';
import { type BuildDelivery, cut, mergeHeaders, parameter, requireParameter } from './outgoing.ts';
import { templateView } from './webhook.ts';

/** New Relic's limits of an event: 254 attributes, of which it adds some itself, and the length of a value. */
const attributesMax = 250;
const valueLengthMax = 4_096;

/** Builds the request to the Event API of New Relic, which only accepts texts and numbers. */
export const newRelic: BuildDelivery = (addon, event, circumstances) => {
  const { headers, flaws } = mergeHeaders(addon, {
    'api-key': requireParameter(addon, 'licenseKey'),
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  });
  const template = parameter(addon, 'bodyTemplate');
  const hasTemplate = template.length > 1;
  const made = hasTemplate && parseJson(render(template, templateView(addon, event, circumstances), 'json'));
  const body = { eventType: 'UnleashServiceEvent', ...toAttributes(isJsonObject(made) ? made : attributesOf(event)) };
  return {
    requests: [{ target: '', url: requireParameter(addon, 'url'), headers, body: gzipSync(JSON.stringify(body)) }],
    details: { body },
    flaws: [
      ...flaws,
      ...(hasTemplate && !isJsonObject(made)
        ? ['The body template produces no JSON object; the event itself is sent.']
        : []),
    ],
    consequenceOf,
  };
};

/** Returns the attributes of an event, with its data at the end, as Unleash does. */
function attributesOf({
  type,
  featureName,
  environment,
  createdBy,
  createdByUserId,
  createdAt,
  data,
}: Event): JsonObject {
  return {
    ...{ unleashEventType: type, featureName, environment, createdBy, createdByUserId },
    createdAt: Date.parse(createdAt),
    ...data,
  };
}

function toAttributes(attributes: JsonObject): JsonObject {
  const kept = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    kept.slice(0, attributesMax).map(([name, value]) => {
      if (typeof value === 'number') return [name, value];
      return [name, cut(typeof value === 'string' ? value : JSON.stringify(value), valueLengthMax)];
    }),
  );
}
