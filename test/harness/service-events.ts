import type { Event } from '../../lib/events/event-schema.ts';
import * as eventKeys from '../../lib/events/keys.ts';
import type { Request } from '../../lib/request.ts';
import { queryAll } from '../../lib/store/read.ts';

/** The events of this month that belong to no feature, oldest first. */
export async function serviceEvents(table: Request): Promise<Event[]> {
  const month = new Date().toISOString().slice(0, 7);
  const items = await queryAll<{ events: string }>(table, eventKeys.serviceEventsIn(month));
  return items.flatMap(({ events }) => JSON.parse(events) as Event[]);
}

/** Returns the events that a call adds to those of no feature, oldest first. */
export async function serviceEventsAddedBy(table: Request, call: () => Promise<unknown>): Promise<Event[]> {
  const before = await serviceEvents(table);
  await call();
  return (await serviceEvents(table)).slice(before.length);
}
