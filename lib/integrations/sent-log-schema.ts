import * as v from 'valibot';
import { event } from '../events/event-schema.ts';
import { wholeNumberText } from '../values/filter-schema.ts';
import { integer, object, text, timestamp } from '../values/primitives.ts';

const sentState = v.picklist(['success', 'failed', 'successWithErrors']);

/** The most entries of a page of the log, and Unleash's default. */
const sentPageMax = 100;
const sentPage = 50;

/** The query of the log of an addon. */
export const sentSearch = object({
  state: v.exactOptional(sentState),
  offset: v.optional(v.pipe(wholeNumberText, v.maxValue(10_000, 'At most 10000 entries can be skipped.')), '0'),
  limit: v.optional(
    v.pipe(wholeNumberText, v.minValue(1), v.maxValue(sentPageMax, `A page has at most ${sentPageMax} entries.`)),
    String(sentPage),
  ),
});
export type SentSearch = v.InferOutput<typeof sentSearch>;

/** The outcome of the delivery of an event. */
export const integrationEvent = object({
  id: text,
  integrationId: integer,
  createdAt: timestamp,
  state: sentState,
  stateDetails: text,
  event,
  /** Contains the `attempts`, oldest first. */
  details: v.looseObject({}),
});
export type IntegrationEvent = v.InferOutput<typeof integrationEvent>;
