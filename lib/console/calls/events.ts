import type { EventSearchResult } from '../../events/event-search-schema.ts';
import type { ConsoleEvents } from '../../screens/events-schema.ts';
import { read } from '../data/declare-call.ts';

export const searchEvents = read<{ readonly events: readonly EventSearchResult[]; readonly total: number }>()(
  'searchEvents',
  '/api/admin/search/events',
);
/** Events that the page shows at first. */
export const eventsOfPage = 100;

export const getConsoleEvents = read<ConsoleEvents>()('getConsoleEvents', '/api/admin/console/events');
