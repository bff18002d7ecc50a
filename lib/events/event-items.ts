import type { Event } from '../schemas/event.ts';
import { itemBytesMax } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { pack } from '../table/pack.ts';
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

/** Events in lists whose text fits into an item each; a single one that does not fit is refused with its item. */
function packed(events: readonly Event[]): Event[][] {
  const brackets = 2;
  return pack(events, sizeOf, { bytes: eventsBytesMax - brackets });
}

function sizeOf(event: Event) {
  return { bytes: Buffer.byteLength(JSON.stringify(event)) + 1 };
}

/** Only an item of a single event can be too large. */
function whatOf([event]: readonly Event[]): string {
  return `${event?.type} event`;
}

/** The writes that add events to a feature which has `count` of them. */
export function featureEventWrites(featureName: string, events: readonly Event[], count: number): Write[] {
  let total = count;
  return packed(events).map((pack) => {
    total += pack.length;
    const item: EventsItem = { events: JSON.stringify(pack), total };
    return {
      put: keys.featureEvents(featureName, firstId(pack)),
      item: { ...item },
      when: 'absent',
      what: whatOf(pack),
    };
  });
}

/** The writes that record events which belong to no feature. */
export function serviceEventWrites(events: readonly Event[]): Write[] {
  return packed(events).map((pack) => ({
    put: keys.serviceEvents(pack[0]?.createdAt ?? '', firstId(pack)),
    item: { events: JSON.stringify(pack) },
    when: 'absent',
    what: whatOf(pack),
  }));
}

function firstId(pack: readonly Event[]): number {
  return pack[0]?.id ?? 0;
}
