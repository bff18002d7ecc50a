import type { EventType } from '../../events/event-schema.ts';
import { searchEvents } from '../calls/events.ts';
import { groupEventTypes } from '../words/event-kinds.ts';
import { eventTypes, noise } from '../words/events.ts';

/** Filters of the events page, as its address holds them; missing ones exclude nothing. */
export const filterNames = ['q', 'project', 'createdBy', 'feature', 'environment', 'kind', 'from', 'to'] as const;

/** Kinds of events to choose from, with their types. */
export const kinds = groupEventTypes(eventTypes);

/** Returns the address of the API for the filters of a page. @param limit the most events. */
export function toEventSearch(query: URLSearchParams, limit: number) {
  const is = (name: string) => (query.get(name) ? `IS:${query.get(name)}` : undefined);
  return searchEvents(
    {},
    {
      limit,
      query: query.get('q') || undefined,
      type: toTypeFilter(query),
      ...{ project: is('project'), createdBy: is('createdBy'), feature: is('feature'), environment: is('environment') },
      ...{ from: is('from'), to: is('to') },
    },
  );
}

function toTypeFilter(query: URLSearchParams): string | undefined {
  const kind = kinds.find(({ name }) => name === query.get('kind'));
  const showsAll = query.get('show') === 'all';
  if (kind === undefined) return showsAll ? undefined : `IS_NONE_OF:${noise.join(',')}`;
  const types = kind.types.filter((type) => showsAll || !noise.includes(type as EventType));
  return `IS_ANY_OF:${types.join(',')}`;
}
