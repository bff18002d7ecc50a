import type { Event } from '../../lib/events/event-schema.ts';
import type { Request } from '../../lib/request.ts';
import * as partitions from '../../lib/store/partitions.ts';
import { queryAll } from '../../lib/store/read.ts';

/** The events of this month that belong to no feature, oldest first. */
export async function serviceEvents(table: Request): Promise<Event[]> {
  const month = new Date().toISOString().slice(0, 7);
  const items = await queryAll<{ events: string }>(table, partitions.serviceEvents(month));
  return items.flatMap(({ events }) => JSON.parse(events) as Event[]);
}
