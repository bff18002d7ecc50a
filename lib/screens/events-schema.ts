import * as v from 'valibot';
import { eventSearch, eventSearchResult } from '../events/event-search-schema.ts';
import { boolean, integer, name, object, text } from '../values/primitives.ts';
import { shownEvent } from './shown-event-schema.ts';

/** The search of a page. Without `show`, it leaves out stars and registrations, which few people look for. */
export const eventsQuery = object({ ...eventSearch.entries, show: v.exactOptional(v.picklist(['all'])) });
export type EventsQuery = v.InferOutput<typeof eventsQuery>;

const listedEvent = object({
  ...shownEvent.entries,
  ...v.pick(v.object(eventSearchResult.entries), ['createdByUserId', 'groupType', 'groupId']).entries,
});
export type ListedEvent = v.InferOutput<typeof listedEvent>;

/** Events, with the people and the environments that filters offer. */
export const consoleEvents = object({
  events: v.array(listedEvent),
  /** True if earlier events match, too. */
  hasMore: boolean,
  /** The authors of recent changes and that of the search, by name. */
  people: v.array(object({ id: integer, name: text })),
  environments: v.array(name),
});
export type ConsoleEvents = v.InferOutput<typeof consoleEvents>;
