import type { EventSearchResult } from '../../events/event-search-schema.ts';
import { read } from '../data/declare-call.ts';

export const searchEvents = read<{ readonly events: readonly EventSearchResult[]; readonly total: number }>()(
  'searchEvents',
  '/api/admin/search/events',
);
export const getEventCreators = read<readonly { readonly id: number; readonly name: string }[]>()(
  'getEventCreators',
  '/api/admin/event-creators',
);
