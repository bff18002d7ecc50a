import * as v from 'valibot';
import {
  anyOfOperators,
  anyText,
  dateText,
  digits,
  filter,
  searchText,
  wholeNumberText,
} from '../values/filter-schema.ts';
import { object, text, timestamp } from '../values/primitives.ts';
import { changeRequestGroup } from './event-group-schema.ts';
import { event } from './event-schema.ts';

/** Event in replies to a search: with its name, a sentence in Markdown, and the group of the events of one change. */
export const foundEvent = object({
  ...event.entries,
  label: text,
  summary: text,
  groupType: v.picklist(['transaction', changeRequestGroup]),
  groupId: text,
});
export type FoundEvent = v.InferOutput<typeof foundEvent>;

/** Limit of events on a page of a search; the default below it is Unleash's. */
const eventPageMax = 1_000;
const eventPage = 50;

/** A day, or a time as events have it, so that a day with more changes than one request looks back on has ends, too. */
const dayOrTime = v.union([dateText, v.pipe(timestamp, v.regex(/T.{12}Z$/))]);

/** Query of a search for events; a filter that is left out excludes nothing. */
export const eventSearch = object({
  /** Must be in the name of the feature, or in what the event says of the change, in capitals or not. */
  query: v.exactOptional(searchText),
  id: v.exactOptional(filter(anyOfOperators, digits, 'IS:17')),
  type: v.exactOptional(filter(anyOfOperators, anyText, 'IS_ANY_OF:feature-created,feature-archived')),
  feature: v.exactOptional(filter(anyOfOperators, anyText, 'IS:checkout')),
  project: v.exactOptional(filter(anyOfOperators, anyText, 'IS:default')),
  environment: v.exactOptional(filter(anyOfOperators, anyText, 'IS:production')),
  /** Ids of users. */
  createdBy: v.exactOptional(filter(anyOfOperators, v.pipe(v.string(), v.regex(/^-?\d+$/)), 'IS:1')),
  groupId: v.exactOptional(filter(anyOfOperators, anyText, 'IS:17')),
  from: v.exactOptional(filter(['IS'], dayOrTime, 'IS:2026-01-31')),
  /** This day, or time, included. */
  to: v.exactOptional(filter(['IS'], dayOrTime, 'IS:2026-01-31')),
  offset: v.optional(wholeNumberText, '0'),
  limit: v.optional(
    v.pipe(wholeNumberText, v.minValue(1), v.maxValue(eventPageMax, `A page has at most ${eventPageMax} events.`)),
    String(eventPage),
  ),
});
export type EventSearch = v.InferOutput<typeof eventSearch>;
