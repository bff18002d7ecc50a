import { splitIntoBatches } from '../store/batch.ts';
import { eventLogPartition } from '../store/client/definition.ts';
import { itemBytesMax } from '../store/item.ts';
import type { Write } from '../store/transactions/write.ts';
import type { Tag } from '../tags/tag-schema.ts';
import type { Event, EventType } from './event-schema.ts';
import * as eventKeys from './keys.ts';

/** The item of the events of one commit, or of a part of them. */
export interface EventsItem {
  /** JSON: the events by rising id, nearly as replies contain them. */
  readonly events: string;
  /** The number of events of the feature up to and including these. */
  readonly total: number;
  /** The first event of the feature, if an earlier feature had the same name. Events before it are about that earlier feature. */
  readonly firstId?: number;
  /** JSON: the tags of the feature before these events; missing if there were none. */
  readonly tags?: string;
}

/** The attributes that put an item of events into the index of all events. */
export interface LogAttributes {
  readonly log: string;
  /** The time of the events, and the id of the first. */
  readonly at: string;
  /** JSON of `EventOutlines`. */
  readonly about: string;
}

/** The author of the events of an item, and the searchable fields of each. The index contains them, so that a search reads no items. */
export type EventOutlines = readonly [
  createdByUserId: number | null,
  createdBy: string,
  ...events: readonly EventOutline[],
];
type EventOutline = readonly [
  id: number,
  type: EventType,
  project: string | null,
  environment: string | null,
  /** Missing if the key of the item names the feature. */
  featureName?: string | null,
  /** The group of the change request to which the event belongs, if any. */
  group?: string,
];

/** The most bytes of events in an item. The rest is for its keys and other attributes. */
export const eventsBytesMax = itemBytesMax - 1024;

/**
 * Splits events into batches that fit into an item each, together with `reserved` bytes. The events of a batch have the same author and
 * time. An event that is too large for an item has its own batch; the store refuses that item.
 */
function splitIntoItems<T extends LoggableEvent>(events: readonly T[], reserved = 0): Batch<T>[] {
  const brackets = 2;
  const size = { bytes: eventsBytesMax - brackets - reserved };
  return splitByOrigin(events).flatMap((run) => splitIntoBatches(run, sizeOf, size));
}

/** Splits events into runs of the same author and time, which an item has only once. */
function splitByOrigin<T extends LoggableEvent>(events: readonly T[]): Batch<T>[] {
  const runs: Batch<T>[] = [];
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

/** The events of one item, at least one. */
type Batch<T> = [T, ...T[]];

type LoggableEvent = Omit<Event, 'tags' | 'data' | 'preData'>;

function logAttributes(events: Readonly<Batch<LoggableEvent>>, featureName?: string): LogAttributes {
  const [first] = events;
  const about: EventOutlines = [
    first.createdByUserId,
    first.createdBy,
    ...events.map((event) => outlineOf(event, featureName)),
  ];
  return { log: eventLogPartition, at: logSortKey(first.createdAt, first.id), about: JSON.stringify(about) };
}

function outlineOf(
  { id, type, project, environment, featureName, groupId }: LoggableEvent,
  known?: string,
): EventOutline {
  const outline = [id, type, project, environment] as const;
  if (groupId !== undefined) return [...outline, featureName === known ? null : featureName, groupId];
  return featureName === null || featureName === known ? outline : [...outline, featureName];
}

/** Returns the sort key of an item of events in the index. */
export function logSortKey(at: string, id: number): string {
  return `${at}#${String(id).padStart(16, '0')}`;
}

/** Returns the name of an item in errors. Only an item of a single event can be too large. */
function nameOf([event]: Readonly<Batch<LoggableEvent>>): string {
  return `${event.type} event`;
}

/** The number of events of a feature. */
interface EventCount {
  readonly eventCount: number;
  readonly firstEventId?: number;
}

/**
 * Returns the writes that add events to a feature.
 * @param tags the tags of the feature before the events.
 */
export function featureEventWrites(
  featureName: string,
  events: readonly Event[],
  { eventCount, firstEventId }: EventCount,
  tags: readonly Tag[],
): Write[] {
  let total = eventCount;
  let before = tags;
  // Every item contains the tags before its events, at most all of these.
  const all = [...tags, ...events.map(findAddedTag).filter((tag) => tag !== undefined)];
  const reserved = all.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(all));
  return splitIntoItems(events.map(withoutTags), reserved).map((batch) => {
    total += batch.length;
    const item: EventsItem & LogAttributes = {
      events: JSON.stringify(batch),
      total,
      ...(firstEventId !== undefined && { firstId: firstEventId }),
      ...(before.length > 0 && { tags: JSON.stringify(before) }),
      ...logAttributes(batch, featureName),
    };
    before = batch.reduce<readonly Tag[]>(tagsAfter, before);
    const subject = nameOf(batch);
    return { put: eventKeys.featureEvents(featureName, batch[0].id), item: { ...item }, when: 'absent', subject };
  });
}

function withoutTags({ tags: _tags, ...event }: Event): Omit<Event, 'tags'> {
  return event;
}

/** Returns the tag that an event adds to the feature, if any. */
function findAddedTag({ type, data }: Pick<Event, 'type' | 'data'>): Tag | undefined {
  return type === 'feature-tagged' ? (data as Tag) : undefined;
}

/** Returns the tags that a feature has after an event. */
function tagsAfter(tags: readonly Tag[], { type, data, preData }: Pick<Event, 'type' | 'data' | 'preData'>) {
  const { type: tagType, value } = (data ?? preData ?? {}) as Partial<Tag>;
  if (type === 'feature-tagged') return [...tags, { value, type: tagType } as Tag];
  if (type === 'feature-untagged') return tags.filter((tag) => tag.type !== tagType || tag.value !== value);
  return tags;
}

/** Returns the events of an item, each with the tags that the feature had after it. */
export function eventsOf(item: EventsItem): Event[] {
  let tags: readonly Tag[] = JSON.parse(item.tags ?? '[]');
  return (JSON.parse(item.events) as Event[]).map((event) => {
    tags = tagsAfter(tags, event);
    return { ...event, tags: [...tags] };
  });
}

/** Returns the writes that record events of no feature. */
export function serviceEventWrites(events: readonly Event[]): Write[] {
  return splitIntoItems(events).map((batch) => ({
    put: eventKeys.serviceEvents(batch[0].createdAt, batch[0].id),
    item: { events: JSON.stringify(batch), ...logAttributes(batch) },
    when: 'absent',
    subject: nameOf(batch),
  }));
}
