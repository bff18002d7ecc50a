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
import { event } from './event-schema.ts';

/** Event in replies to a search, with a label, a sentence in Markdown, and the group of the events of one change. */
export const eventSearchResult = object({
  ...event.entries,
  label: text,
  summary: text,
  groupType: v.picklist(['transaction', 'change-request']),
  groupId: text,
});
export type EventSearchResult = v.InferOutput<typeof eventSearchResult>;

/** The most events on a page of a search. */
const eventPageMax = 1_000;
/** The default page size, as on Unleash. */
const eventPageSize = 50;

/** A day, or a time in the format of events; times are for days with more changes than one request searches. */
const dayOrTime = v.union([dateText, v.pipe(timestamp, v.regex(/T.{12}Z$/))]);

/** The operators of the filter by type, which can also exclude types that few people look for. */
const typeOperators = [...anyOfOperators, 'IS_NONE_OF'] as const;

/** Query of a search for events; an omitted filter excludes nothing. */
export const eventSearch = object({
  /** A text in the name of the feature, or in the `data` or `preData` of the event; case does not matter. */
  query: v.exactOptional(searchText),
  id: v.exactOptional(filter(anyOfOperators, digits, 'IS:17')),
  type: v.exactOptional(filter(typeOperators, anyText, 'IS_ANY_OF:feature-created,feature-archived')),
  feature: v.exactOptional(filter(anyOfOperators, anyText, 'IS:checkout')),
  project: v.exactOptional(filter(anyOfOperators, anyText, 'IS:default')),
  environment: v.exactOptional(filter(anyOfOperators, anyText, 'IS:production')),
  /** Ids of users. */
  createdBy: v.exactOptional(filter(anyOfOperators, v.pipe(v.string(), v.regex(/^-?\d+$/)), 'IS:1')),
  groupId: v.exactOptional(filter(anyOfOperators, anyText, 'IS:17')),
  from: v.exactOptional(filter(['IS'], dayOrTime, 'IS:2026-01-31')),
  /** The last day or time, inclusive. */
  to: v.exactOptional(filter(['IS'], dayOrTime, 'IS:2026-01-31')),
  offset: v.optional(wholeNumberText, '0'),
  limit: v.optional(
    v.pipe(wholeNumberText, v.minValue(1), v.maxValue(eventPageMax, `A page has at most ${eventPageMax} events.`)),
    String(eventPageSize),
  ),
});
export type EventSearch = v.InferOutput<typeof eventSearch>;
