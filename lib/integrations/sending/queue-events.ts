import { type EventsItem, eventsOf } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import * as eventKeys from '../../events/keys.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryPages, readItem } from '../../store/read.ts';
import type { Integration } from './integration.ts';
import type { EventOutline } from './matching.ts';

/** The progress of a queue: the last event that is done, and the first id of the next item; 0 if unknown. */
interface Progress {
  readonly doneTo: number;
  readonly next: number;
}

/** An event to send, with its item. */
export interface QueueEvent {
  readonly event: Event;
  /** The item that contains it. */
  readonly key: Key;
  /** The id of the first event of the same change. */
  readonly groupId: string;
  /** The first id of the item to read after this event. */
  readonly next: number;
}

/** Returns the events of an item. */
export function queueEventsOf({ pk, sk, ...item }: Key & EventsItem): QueueEvent[] {
  const events = eventsOf(item);
  const [first] = events;
  return events.map((event, index) => ({
    event,
    key: { pk, sk },
    groupId: String(first?.id ?? event.id),
    next: index === events.length - 1 ? event.id + 1 : (first?.id ?? event.id),
  }));
}

const featurePrefix = 'F#';
const itemPrefix = 'E#';

/** Returns the name of the queue of an item: that of its feature, or one of its own. */
function queueNameOf(key: Key): string {
  const feature = eventKeys.featureOfEvents(key);
  return feature === undefined
    ? `${itemPrefix}${eventKeys.monthOfEvents(key)}#${key.sk}`
    : `${featurePrefix}${feature}`;
}

/** A queue with events to send, with the first and the last known event. */
export interface FilledQueue {
  readonly id: number;
  readonly name: string;
  readonly from: number;
  readonly upTo: number;
}

/** Returns the queues of enabled integrations that send some of the events. */
export function queuesOf(
  integrations: Iterable<Integration>,
  events: readonly (EventOutline & { readonly id: number; readonly key: Key })[],
): FilledQueue[] {
  const queues = new Map<string, FilledQueue>();
  for (const { id, addon, after, isFor } of integrations) {
    if (!addon.enabled) continue;
    for (const event of events) {
      if (event.id <= after || !isFor(event)) continue;
      const name = queueNameOf(event.key);
      const { from = event.id, upTo = event.id } = queues.get(`${id} ${name}`) ?? {};
      queues.set(`${id} ${name}`, { id, name, from: Math.min(from, event.id), upTo: Math.max(upTo, event.id) });
    }
  }
  return [...queues.values()];
}

/** The most items of a read, and the items of a page of a search, in which mostly the newest item is enough. */
const itemsMax = 50;
const searchedAtOnce = 5;

/** The next events of a queue. */
interface NextEvents {
  /** Oldest first. */
  readonly events: readonly QueueEvent[];
  /** True if more events may follow. */
  readonly hasMore: boolean;
  /** The first id of the item to read after these events; 0 if unknown. */
  readonly end: number;
}

/** Reads the next events of a queue consistently. */
export async function readQueueEvents(request: Request, name: string, queue: Progress): Promise<NextEvents> {
  if (!name.startsWith(featurePrefix)) {
    return { events: await eventsOfItem(request, name, queue), hasMore: false, end: 0 };
  }
  const feature = name.slice(featurePrefix.length);
  return queue.next > 0 ? readOnwards(request, feature, queue) : searchBackwards(request, feature, queue);
}

async function eventsOfItem(request: Request, name: string, queue: Progress): Promise<QueueEvent[]> {
  const [month = '', sk = ''] = name.slice(itemPrefix.length).split('#');
  const item = await readItem<Key & EventsItem>(request, { ...eventKeys.serviceEventsIn(month), sk });
  return item === undefined ? [] : openEventsOf([item], queue);
}

function openEventsOf(items: readonly (Key & EventsItem)[], { doneTo }: Progress): QueueEvent[] {
  return items.flatMap(queueEventsOf).filter(({ event }) => event.id > doneTo);
}

/** Reads on from the last event of the queue. */
async function readOnwards(request: Request, feature: string, queue: Progress): Promise<NextEvents> {
  const partition = eventKeys.featureEventsFrom(feature, queue.next);
  for await (const items of queryPages<Key & EventsItem>(request, partition, { pageSize: itemsMax })) {
    const end = items.flatMap(queueEventsOf).at(-1)?.next ?? 0;
    return { events: openEventsOf(items, queue), hasMore: items.length > 0, end };
  }
  return { events: [], hasMore: false, end: 0 };
}

/** Searches for open events from the newest one on, since an idle queue may have skipped any number of events. */
async function searchBackwards(request: Request, feature: string, queue: Progress): Promise<NextEvents> {
  let events: QueueEvent[] = [];
  let hasMore = false;
  const pages = queryPages<Key & EventsItem>(request, eventKeys.allFeatureEvents(feature), {
    descending: true,
    pageSize: searchedAtOnce,
  });
  for await (const items of pages) {
    for (const item of items) {
      const open = openEventsOf([item], queue);
      events = [...open, ...events];
      // The oldest events are sent first, and the others read afterwards.
      hasMore ||= events.length > itemsMax;
      events = events.slice(0, itemsMax);
      if (open.length < queueEventsOf(item).length) return { events, hasMore, end: 0 };
    }
  }
  return { events, hasMore, end: 0 };
}
