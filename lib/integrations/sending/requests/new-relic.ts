import { gzipSync } from 'node:zlib';
import type { Event } from '../../../events/event-schema.ts';
import { consequenceOf } from '../answer.ts';
import { render } from '../template.ts';
import { cut, type Preparing, parameter, requiredParameter, sentHeaders } from './outgoing.ts';
import { templateView } from './webhook.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** New Relic's limits of an event: 254 attributes, of which it adds some itself, and the length of a text. */
const attributesMax = 250;
const valueLengthMax = 4_096;

/** Posts to the Event API of New Relic, which takes texts and numbers only. */
export const newRelic: Preparing = (addon, event, circumstances) => {
  const { headers, flaws } = sentHeaders(addon, {
    'api-key': requiredParameter(addon, 'licenseKey'),
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  });
  const template = parameter(addon, 'bodyTemplate');
  const made =
    template.length > 1 ? objectIn(render(template, templateView(addon, event, circumstances), 'json')) : undefined;
  const body = { eventType: 'UnleashServiceEvent', ...flat(made ?? attributesOf(event)) };
  return {
    requests: [{ target: '', url: requiredParameter(addon, 'url'), headers, body: gzipSync(JSON.stringify(body)) }],
    details: { body },
    flaws: [
      ...flaws,
      ...(template.length > 1 && made === undefined
        ? ['The body template makes no JSON object; the event is sent.']
        : []),
    ],
    consequenceOf,
  };
};

/** As Unleash, the change comes last. */
function attributesOf({
  type,
  featureName,
  environment,
  createdBy,
  createdByUserId,
  createdAt,
  data,
}: Event): Attributes {
  return {
    ...{ unleashEventType: type, featureName, environment, createdBy, createdByUserId },
    createdAt: Date.parse(createdAt),
    ...data,
  };
}

function flat(attributes: Attributes): Attributes {
  const kept = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    kept.slice(0, attributesMax).map(([name, value]) => {
      if (typeof value === 'number') return [name, value];
      return [name, cut(typeof value === 'string' ? value : JSON.stringify(value), valueLengthMax)];
    }),
  );
}

function objectIn(text: string): Attributes | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Attributes) : undefined;
  } catch {
    return undefined;
  }
}
