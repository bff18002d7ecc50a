import { getConsoleEvents } from '../calls/events.ts';
import { groupEventTypes } from '../words/event-kinds.ts';
import { eventTypes } from '../words/events.ts';

/** The filters of the events page, by their names in its address. A missing filter excludes nothing. */
export const filterNames = ['q', 'project', 'createdBy', 'feature', 'environment', 'kind', 'from', 'to'] as const;

/** The kinds of events to choose from, each with its event types. */
export const kinds = groupEventTypes(eventTypes);

/** Returns the API address for the filters in the address of the page. @param limit the most events. */
export function toEventSearch(query: URLSearchParams, limit: number) {
  const is = (name: string) => (query.get(name) ? `IS:${query.get(name)}` : undefined);
  const kind = kinds.find(({ name }) => name === query.get('kind'));
  return getConsoleEvents(
    {},
    {
      limit,
      show: query.get('show') === 'all' ? 'all' : undefined,
      query: query.get('q') || undefined,
      type: kind && `IS_ANY_OF:${kind.types.join(',')}`,
      ...{ project: is('project'), createdBy: is('createdBy'), feature: is('feature'), environment: is('environment') },
      ...{ from: is('from'), to: is('to') },
    },
  );
}
