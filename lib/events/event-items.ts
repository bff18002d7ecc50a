import { invalid } from '../errors.ts';
import type { Event } from '../schemas/event.ts';
import { itemBytesMax } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/write.ts';

/** The events of one commit, or a part of them: as JSON text, which is answered much as it is stored. */
export interface EventsItem {
  /** JSON: events by rising id. */
  readonly events: string;
  /** How many events the feature has up to and with these. */
  readonly total: number;
}

/** Room for the item's keys and its other attribute. */
const eventsBytesMax = itemBytesMax - 1024;

/** Events in lists whose text fits into an item each. A single one that does not fit is a 400. */
function packed(events: readonly Event[]): Event[][] {
  const packs: Event[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (size > eventsBytesMax) {
      throw invalid(
        `The change is too large to record: its ${event.type} event would take ${size} bytes of ${eventsBytesMax}.`,
      );
    }
    if (bytes + size > eventsBytesMax) {
      packs.push([]);
      bytes = 2;
    }
    packs.at(-1)?.push(event);
    bytes += size;
  }
  return packs;
}

/** The writes that add events to a feature which has `count` of them. */
export function featureEventWrites(featureName: string, events: readonly Event[], count: number): Write[] {
  let total = count;
  return packed(events).map((pack) => {
    total += pack.length;
    const item: EventsItem = { events: JSON.stringify(pack), total };
    return { put: keys.featureEvents(featureName, firstId(pack)), item: { ...item }, when: 'absent' };
  });
}

/** The writes that record events which belong to no feature. */
export function serviceEventWrites(events: readonly Event[]): Write[] {
  return packed(events).map((pack) => ({
    put: keys.serviceEvents(pack[0]?.createdAt ?? '', firstId(pack)),
    item: { events: JSON.stringify(pack) },
    when: 'absent',
  }));
}

function firstId(pack: readonly Event[]): number {
  return pack[0]?.id ?? 0;
}
