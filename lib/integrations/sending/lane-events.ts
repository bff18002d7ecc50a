import { type EventsItem, eventsOf } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import * as eventKeys from '../../events/keys.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryPages, readItem } from '../../store/read.ts';

/** Event on its way, with the place that it comes from. */
export interface LaneEvent {
  readonly event: Event;
  /** The item that holds it. */
  readonly key: Key;
  /** The id of the first event of the same change. */
  readonly groupId: string;
  /** The first id of the item that is read next once this event is done. */
  readonly next: number;
}

/** The most items that are read at a time, and the items of a page of a search: mostly the newest one is all. */
const itemsMax = 50;
const searchedAtOnce = 5;

const featurePrefix = 'F#';
const itemPrefix = 'E#';

/** Returns the name of the lane that the events of an item take: that of their feature, or one of its own. */
export function laneNameOf({ pk, sk }: Key): string {
  const feature = /^FEATURE#(.*)#EVENTS$/.exec(pk)?.[1];
  return feature === undefined ? `${itemPrefix}${pk.slice('EVENTS#'.length)}#${sk}` : `${featurePrefix}${feature}`;
}

interface Wanted {
  /** Only events above this one. */
  readonly doneTo: number;
  /** The first id of the item to begin with; 0 where it must be searched for. */
  readonly next: number;
}

/** Events that come next in a lane. */
interface Found {
  /** Oldest first. */
  readonly events: readonly LaneEvent[];
  /** More may follow. */
  readonly hasMore: boolean;
  /** The first id of the item that would be read after these; 0 where it is not known. */
  readonly end: number;
}

/** Reads the events of a lane that come next, consistently. */
export async function readLaneEvents(work: Request, name: string, wanted: Wanted): Promise<Found> {
  if (!name.startsWith(featurePrefix)) {
    return { events: await eventsOfItem(work, name, wanted), hasMore: false, end: 0 };
  }
  const feature = name.slice(featurePrefix.length);
  return wanted.next > 0 ? onward(work, feature, wanted) : backward(work, feature, wanted);
}

async function eventsOfItem(work: Request, name: string, wanted: Wanted): Promise<LaneEvent[]> {
  const [month = '', sk = ''] = name.slice(itemPrefix.length).split('#');
  const item = await readItem<Key & EventsItem>(work, { ...eventKeys.serviceEventsIn(month), sk });
  return item === undefined ? [] : laneEventsOf(item).filter((each) => isWanted(each, wanted));
}

/** Goes on where the lane has come to. */
async function onward(work: Request, feature: string, wanted: Wanted): Promise<Found> {
  const partition = eventKeys.featureEventsFrom(feature, wanted.next);
  for await (const items of queryPages<Key & EventsItem>(work, partition, { pageSize: itemsMax })) {
    const all = items.flatMap(laneEventsOf);
    const events = all.filter((each) => isWanted(each, wanted));
    return { events, hasMore: items.length > 0, end: all.at(-1)?.next ?? 0 };
  }
  return { events: [], hasMore: false, end: 0 };
}

/** Searches from the newest one for those that are wanted: an idle lane may have slept through any number of others. */
async function backward(work: Request, feature: string, wanted: Wanted): Promise<Found> {
  let events: LaneEvent[] = [];
  let hasMore = false;
  const pages = queryPages<Key & EventsItem>(work, eventKeys.allFeatureEvents(feature), {
    descending: true,
    pageSize: searchedAtOnce,
  });
  for await (const items of pages) {
    for (const item of items) {
      const found = laneEventsOf(item);
      const kept = found.filter((each) => isWanted(each, wanted));
      events = [...kept, ...events];
      // The oldest come first; the rest is read once these are done.
      hasMore ||= events.length > itemsMax;
      events = events.slice(0, itemsMax);
      if (kept.length < found.length) return { events, hasMore, end: 0 };
    }
  }
  return { events, hasMore, end: 0 };
}

function isWanted({ event }: LaneEvent, { doneTo }: Wanted): boolean {
  return event.id > doneTo;
}

/** Returns the events of an item with the places that they come from. */
export function laneEventsOf({ pk, sk, ...item }: Key & EventsItem): LaneEvent[] {
  const events = eventsOf(item);
  const [first] = events;
  return events.map((event, index) => ({
    event,
    key: { pk, sk },
    groupId: String(first?.id ?? event.id),
    next: index === events.length - 1 ? event.id + 1 : (first?.id ?? event.id),
  }));
}
