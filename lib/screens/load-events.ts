import { loadEnvironments } from '../environments/environments.ts';
import { listEventCreators, searchEvents } from '../events/event-log.ts';
import type { EventType } from '../events/event-schema.ts';
import type { EventSearch } from '../events/event-search-schema.ts';
import type { Request } from '../request.ts';
import type { ConsoleEvents, EventsQuery } from './events-schema.ts';
import { loadPersonNames } from './person-names.ts';
import { loadEventView } from './show-events.ts';

/** The number of recent changes whose authors are offered. It is about one page of the log, since browsers poll for the events. */
const authorChanges = 1_000;

/** Types of events that few people look for. */
const quietTypes: readonly EventType[] = [
  'feature-favorited',
  'feature-unfavorited',
  'project-favorited',
  'project-unfavorited',
  'application-created',
  'client-metrics',
  'client-register',
  'user-preference-updated',
];

/** Loads the events that match a search, newest first, with the people and environments to search for. */
export async function loadEventsPage(request: Request, query: EventsQuery): Promise<ConsoleEvents> {
  const search = query.show === 'all' ? query : withoutQuietTypes(query);
  const [{ events: found, total }, creators, { all }] = await Promise.all([
    // One event more than the page shows tells whether there is another page.
    searchEvents(request, { ...search, limit: search.limit + 1 }, false),
    listEventCreators(request, authorChanges),
    loadEnvironments(request),
  ]);
  const events = found.slice(0, search.limit);
  const [view, people] = await Promise.all([
    loadEventView(request, events),
    listPeople(request, creators, search.createdBy?.values.map(Number) ?? []),
  ]);
  return {
    events: events.map((event) => {
      const { createdByUserId, groupType, groupId } = event;
      return { ...view(event), createdByUserId, groupType, groupId };
    }),
    hasMore: total > search.offset + events.length,
    people,
    environments: all.map(({ name }) => name),
  };
}

function withoutQuietTypes(search: EventSearch): EventSearch {
  const { type = { operator: 'IS_NONE_OF', values: [] } } = search;
  const values =
    type.operator === 'IS_NONE_OF'
      ? [...type.values, ...quietTypes]
      : type.values.filter((each) => !quietTypes.includes(each as EventType));
  return { ...search, type: { ...type, values } };
}

/** Lists the people to search for, by name: recent authors, and the people of the search. */
async function listPeople(
  request: Request,
  creators: readonly { readonly id: number; readonly name: string }[],
  wanted: readonly number[],
): Promise<ConsoleEvents['people']> {
  const names = await loadPersonNames(request, [...creators.map(({ id }) => id), ...wanted]);
  const known = new Map([...creators.map(({ id, name }) => [id, name] as const), ...names]);
  return [...known].map(([id, name]) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
}
