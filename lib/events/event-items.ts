import { eventLog } from '../store/client/definition.ts';
import { itemBytesMax } from '../store/item.ts';
import { pack } from '../store/pack.ts';
import type { Write } from '../store/transactions/write.ts';
import type { Tag } from '../tags/tag-schema.ts';
import type { Event, EventType } from './event-schema.ts';
import * as eventKeys from './keys.ts';

/** Events of one commit, or a part of them, as JSON text, which replies pass on almost unchanged. */
export interface EventsItem {
  /** JSON: events by rising id. */
  readonly events: string;
  /** Number of events of the feature up to and including these. */
  readonly total: number;
  /** The first event of the feature, where an earlier one had its name: earlier events are about that one. */
  readonly firstId?: number;
  /** JSON: the tags of the feature before these events; missing where it has none. */
  readonly tags?: string;
}

/** Attributes that put an item of events into the list of all. */
export interface LogAttributes {
  readonly log: string;
  /** The time of the events, and the id of the first. */
  readonly at: string;
  /** JSON of `About`. */
  readonly about: string;
}

/**
 * Outline of an item in the list of all events, readable without the item: its author, and the searchable fields of
 * each event.
 */
export type About = readonly [createdByUserId: number | null, createdBy: string, ...events: readonly EventOutline[]];
type EventOutline = readonly [
  id: number,
  type: EventType,
  project: string | null,
  environment: string | null,
  /** Missing where the key of the item names the feature. */
  featureName?: string | null,
  /** The id of the change request, where it is of one. */
  group?: string,
];

/** Room for the item's keys and its other attributes. */
export const eventsBytesMax = itemBytesMax - 1024;

/**
 * Packs events into lists of one author and time whose text fits into an item each, besides `reserved` bytes; a single one
 * that does not fit is refused with its item.
 */
function packed<T extends LoggableEvent>(events: readonly T[], reserved = 0): Pack<T>[] {
  const brackets = 2;
  return madeTogether(events).flatMap((some) => pack(some, sizeOf, { bytes: eventsBytesMax - brackets - reserved }));
}

/** Splits events where the author or the time changes, which an item has once for all its events. */
function madeTogether<T extends LoggableEvent>(events: readonly T[]): Pack<T>[] {
  const runs: Pack<T>[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    const isSame =
      run?.[0].createdAt === event.createdAt &&
      run[0].createdBy === event.createdBy &&
      run[0].createdByUserId === event.createdByUserId;
    if (isSame) run.push(event);
    else runs.push([event]);
  }
  return runs;
}

function sizeOf(event: LoggableEvent) {
  return { bytes: Buffer.byteLength(JSON.stringify(event)) + Buffer.byteLength(JSON.stringify(outlineOf(event))) + 2 };
}

/** Events of one item: at least one. */
type Pack<T> = [T, ...T[]];

type LoggableEvent = Omit<Event, 'tags' | 'data' | 'preData'>;

/** Returns the attributes that put an item of events into the list of all. */
function logAttributes(events: Readonly<Pack<LoggableEvent>>, featureName?: string): LogAttributes {
  const [first] = events;
  const about: About = [
    first.createdByUserId,
    first.createdBy,
    ...events.map((event) => outlineOf(event, featureName)),
  ];
  return { log: eventLog, at: logPlace(first.createdAt, first.id), about: JSON.stringify(about) };
}

function outlineOf(
  { id, type, project, environment, featureName, groupId }: LoggableEvent,
  known?: string,
): EventOutline {
  const outline = [id, type, project, environment] as const;
  if (groupId !== undefined) return [...outline, featureName === known ? null : featureName, groupId];
  return featureName === null || featureName === known ? outline : [...outline, featureName];
}

/** Returns the sort key of an event in the list of all events. */
function logPlace(at: string, id: number): string {
  return `${at}#${String(id).padStart(16, '0')}`;
}

/** Only an item of a single event can be too large. */
function whatOf([event]: Readonly<Pack<LoggableEvent>>): string {
  return `${event.type} event`;
}

/** Counter of the events of a feature. */
interface EventCount {
  readonly eventCount: number;
  readonly firstEventId?: number;
}

/**
 * Returns the writes that add events to a feature.
 * @param tags those of the feature before the events, which say themselves what they change of them.
 */
export function featureEventWrites(
  featureName: string,
  events: readonly Event[],
  { eventCount, firstEventId }: EventCount,
  tags: readonly Tag[],
): Write[] {
  let total = eventCount;
  let before = tags;
  // An item for each pack, and the tags with each: they may grow by what the events of the pack add.
  const all = [...tags, ...events.map(tagged).filter((tag) => tag !== undefined)];
  const reserved = all.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(all));
  return packed(events.map(withoutTags), reserved).map((pack) => {
    total += pack.length;
    const item: EventsItem & LogAttributes = {
      events: JSON.stringify(pack),
      total,
      ...(firstEventId !== undefined && { firstId: firstEventId }),
      ...(before.length > 0 && { tags: JSON.stringify(before) }),
      ...logAttributes(pack, featureName),
    };
    before = pack.reduce<readonly Tag[]>(tagsAfter, before);
    const what = whatOf(pack);
    return { put: eventKeys.featureEvents(featureName, pack[0].id), item: { ...item }, when: 'absent', what };
  });
}

function withoutTags({ tags: _tags, ...event }: Event): Omit<Event, 'tags'> {
  return event;
}

/** Returns the tag that an event adds, if any. */
function tagged({ type, data }: Pick<Event, 'type' | 'data'>): Tag | undefined {
  return type === 'feature-tagged' ? (data as Tag) : undefined;
}

/** Returns the tags that a feature has after an event. */
function tagsAfter(tags: readonly Tag[], { type, data, preData }: Pick<Event, 'type' | 'data' | 'preData'>) {
  const { type: tagType, value } = (data ?? preData ?? {}) as Partial<Tag>;
  if (type === 'feature-tagged') return [...tags, { value, type: tagType } as Tag];
  if (type === 'feature-untagged') return tags.filter((tag) => tag.type !== tagType || tag.value !== value);
  return tags;
}

/** Returns the events of an item, each with the tags of its moment. */
export function eventsOf(item: EventsItem): Event[] {
  let tags: readonly Tag[] = JSON.parse(item.tags ?? '[]');
  return (JSON.parse(item.events) as Event[]).map((event) => {
    tags = tagsAfter(tags, event);
    return { ...event, tags: [...tags] };
  });
}

/** Returns the writes that record events which belong to no feature. */
export function serviceEventWrites(events: readonly Event[]): Write[] {
  return packed(events).map((pack) => ({
    put: eventKeys.serviceEvents(pack[0].createdAt, pack[0].id),
    item: { events: JSON.stringify(pack), ...logAttributes(pack) },
    when: 'absent',
    what: whatOf(pack),
  }));
}
