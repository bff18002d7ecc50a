import { isHidden, type Request, seesAllProjects } from '../request.ts';
import { type Key, keyText } from '../store/client/definition.ts';
import { queryEventLog, queryPages, readItems } from '../store/read.ts';
import { chunksOf, distinctBy } from '../values/lists.ts';
import { isName } from '../values/primitives.ts';
import { AnswerRoom } from './answer-size.ts';
import { changeRequestGroup } from './event-group-schema.ts';
import { type About, type EventsItem, eventsOf, type LogAttributes } from './event-items.ts';
import type { Event } from './event-schema.ts';
import type { EventSearch, FoundEvent } from './event-search-schema.ts';
import { eventSummaryOf, labelOf } from './event-summary.ts';
import * as eventKeys from './keys.ts';
import { seenEvent } from './seen-event.ts';

/** Event as the list of all events outlines it. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  /** The item that holds it. */
  readonly key: Key;
  /** The same for all events that one change of a thing has made: the id of the first, or of its change request. */
  readonly groupId: string;
  readonly groupType: FoundEvent['groupType'];
}

interface Found<T> {
  /** Newest first. */
  readonly events: T[];
  /** Number of events on all pages, as far as one request looks back. */
  readonly total: number;
}

/** Limit of changes that one request looks back on; a request with an earlier end finds those before them. */
const changesMax = 20_000;
/** Limit of changes that a search for text reads. */
const readChangesMax = 1_000;
/** After the sort keys of all that happened on a day, or at a time. */
const endOfDay = '~';

/** Range of the list of all events. */
interface LogRange {
  /** ISO 8601, or the beginning of it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Limit of changes, of which each has one event or a few. */
  readonly changes?: number;
}

/**
 * Reads the events of a range of time, newest first, by page. The list may lag behind the changes by a moment; the
 * events of a feature do not.
 */
export async function* loggedEvents(
  request: Request,
  { from = '', to = '', changes = changesMax }: LogRange,
): AsyncGenerator<LoggedEvent[]> {
  // Of a time that ends before it begins, the store would refuse to say anything.
  if (to !== '' && from > to + endOfDay) return;
  let left = changes;
  for await (const items of queryEventLog<Key & LogAttributes>(request, { from: from || ' ', to: to + endOfDay })) {
    yield shown(request, items.slice(0, left).flatMap(outlinesOf));
    left -= items.length;
    if (left <= 0) return;
  }
}

/** Reads the changes of a range of time from the oldest on, by page, hidden ones included; the list may lag by a moment. */
export async function* changesSince(request: Request, from: string): AsyncGenerator<LoggedEvent[][]> {
  const pages = queryEventLog<Key & LogAttributes>(request, { from, to: endOfDay, ascending: true });
  for await (const items of pages) yield items.map((item) => outlinesOf(item).toReversed());
}

/**
 * Returns the highest id among the newest events that are stamped before a time; 0 where there is none. Clocks apart, only changes
 * that overlap have ids in another order than that of their stamps.
 */
export async function lastEventIdBefore(request: Request, at = endOfDay): Promise<number> {
  for await (const items of queryEventLog<Key & LogAttributes>(request, { from: ' ', to: at })) {
    if (items.length > 0) return Math.max(...items.flatMap(outlinesOf).map(({ id }) => id));
  }
  return 0;
}

/** Returns the events that the caller may see. */
function shown(request: Request, events: readonly LoggedEvent[]): LoggedEvent[] {
  return events.filter((event) => isEventSeen(request, event));
}

/** Tells whether the caller may see an event. */
export function isEventSeen(request: Request, { project, type }: Pick<LoggedEvent, 'project' | 'type'>): boolean {
  if (seesAllProjects(request)) return true;
  return project === null ? !mayNameProjects.test(type) : !isHidden(request, project);
}

/** Events of no project that may be about one: of who may do what there, of what is set up for it, uses it or is used in it. */
const mayNameProjects = /^(user|group|service-account|api-token|addon-config|application|tag(?!-type))-/;

function outlinesOf({ pk, sk, at, about }: Key & LogAttributes): LoggedEvent[] {
  const [createdByUserId, createdBy, ...events] = JSON.parse(about) as About;
  const known = /^FEATURE#(.*)#EVENTS$/.exec(pk)?.[1];
  const createdAt = at.slice(0, at.indexOf('#'));
  const first = String(events[0]?.[0]);
  return events
    .map(([id, type, project, environment, featureName, group]) => ({
      ...{ id, type, createdAt, createdBy, createdByUserId, project, environment },
      featureName: featureName ?? known ?? null,
      ...groupOf(group, first),
      key: { pk, sk },
    }))
    .toReversed();
}

/** Returns the group of an event: the change request with which it happened, else the change, by its first event. */
function groupOf(changeRequest: string | undefined, firstId: string): Pick<LoggedEvent, 'groupId' | 'groupType'> {
  return changeRequest === undefined
    ? { groupId: firstId, groupType: 'transaction' }
    : { groupId: changeRequest, groupType: changeRequestGroup };
}

/** Reads the events of a feature, newest first, by page. */
async function* eventsOfFeature(request: Request, name: string): AsyncGenerator<LoggedEvent[]> {
  if (!isName(name)) return;
  let left = changesMax;
  const pages = queryPages<Key & EventsItem>(request, eventKeys.allFeatureEvents(name), { descending: true });
  for await (const items of pages) {
    const events = items.flatMap(({ pk, sk, ...item }) => {
      const made = eventsOf(item);
      const first = String(made[0]?.id);
      return made.map((event) => ({ ...event, ...groupOf(event.groupId, first), key: { pk, sk } })).toReversed();
    });
    yield shown(request, events);
    left -= items.length;
    if (left <= 0) return;
  }
}

/**
 * Returns the events that match a search, on the requested page. It looks back on the newest 20,000 changes of the
 * requested time; for text, on the newest 1,000 of those that pass the other filters. The total counts as far.
 */
export async function searchEvents(request: Request, search: EventSearch): Promise<Found<FoundEvent>> {
  const { events, total } = await findOutlines(request, search);
  return { events: await readEvents(request, events, foundEvent), total };
}

function foundEvent(event: Event, { groupId, groupType }: LoggedEvent): FoundEvent {
  return { ...event, groupId, groupType, label: labelOf(event.type), summary: eventSummaryOf(event) };
}

/** @param isCounted false for the events of the page alone: what lies before them is not looked at. */
async function findOutlines(request: Request, search: EventSearch, isCounted = true): Promise<Found<LoggedEvent>> {
  const { feature, from, to, query, offset, limit } = search;
  const [only, ...others] = feature?.values ?? [];
  const pages =
    only !== undefined && others.length === 0
      ? eventsOfFeature(request, only)
      : loggedEvents(request, { from: from?.values[0], to: to?.values[0] });
  const found: LoggedEvent[] = [];
  let total = 0;
  let reads = 0;
  for await (const page of pages) {
    let matching = page.filter((event) => matches(event, search));
    if (query !== undefined && query !== '') {
      const readable = matching.slice(0, readChangesMax - reads);
      reads += readable.length;
      matching = await withText(request, readable, query);
    }
    // Only the events of the page are kept, since a large offset skips very many.
    found.push(...matching.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total)));
    total += matching.length;
    if (reads >= readChangesMax || (!isCounted && found.length === limit)) break;
  }
  return { events: found, total };
}

/** Reads the newest events of a project, or of all, and their number where it is wanted. */
export async function newestEvents(
  request: Request,
  project: string | undefined,
  limit: number,
  isCounted = true,
): Promise<Found<Event>> {
  const filter = project === undefined ? {} : { project: { operator: 'IS' as const, values: [project] } };
  const { events, total } = await findOutlines(request, { ...filter, offset: 0, limit }, isCounted);
  return { events: await readEvents(request, events, (event) => event), total };
}

function matches(event: LoggedEvent, search: EventSearch): boolean {
  const { id, type, feature, project, environment, createdBy, groupId, from, to } = search;
  return (
    isAmong(id, String(event.id)) &&
    isAmong(type, event.type) &&
    isAmong(feature, event.featureName) &&
    isAmong(project, event.project) &&
    isAmong(environment, event.environment) &&
    isAmong(createdBy, String(event.createdByUserId)) &&
    isAmong(groupId, event.groupId) &&
    event.createdAt >= (from?.values[0] ?? '') &&
    event.createdAt < (to?.values[0] ?? '') + endOfDay
  );
}

function isAmong(filter: { readonly values: readonly string[] } | undefined, value: string | null): boolean {
  return filter === undefined || (value !== null && filter.values.includes(value));
}

async function withText(request: Request, outlines: readonly LoggedEvent[], query: string): Promise<LoggedEvent[]> {
  const wanted = query.toLowerCase();
  const found: LoggedEvent[] = [];
  for await (const [outline, { featureName, data, preData }] of wholeEvents(request, outlines)) {
    const texts = [featureName ?? '', JSON.stringify(data ?? ''), JSON.stringify(preData ?? '')];
    if (texts.some((each) => each.toLowerCase().includes(wanted))) found.push(outline);
  }
  return found;
}

/** Reads whole events in the form of replies, as many as a reply holds. */
async function readEvents<T>(
  request: Request,
  outlines: readonly LoggedEvent[],
  view: (event: Event, outline: LoggedEvent) => T,
): Promise<T[]> {
  const events: T[] = [];
  const room = new AnswerRoom();
  for await (const [outline, event] of wholeEvents(request, outlines)) {
    const shown = view(event, outline);
    if (!room.take(JSON.stringify(shown)) && events.length > 0) break;
    events.push(shown);
  }
  return events;
}

/** Number of events that are held at a time: the change of each may be as large as an item. */
const eventsAtOnce = 50;

async function* wholeEvents(
  request: Request,
  outlines: readonly LoggedEvent[],
): AsyncGenerator<readonly [LoggedEvent, Event]> {
  for (const some of chunksOf(outlines, eventsAtOnce)) {
    const known = await eventsById(request, some);
    for (const outline of some) {
      const event = known.get(outline.id);
      if (event !== undefined) yield [outline, event];
    }
  }
}

async function eventsById(request: Request, outlines: readonly LoggedEvent[]): Promise<Map<number, Event>> {
  const wanted = distinctBy(
    outlines.map(({ key }) => key),
    keyText,
  );
  const items = await readItems<EventsItem>(request, wanted);
  const events = items.flatMap((item) => (item === undefined ? [] : eventsOf(item)));
  return new Map(events.map((event) => [event.id, seenEvent(request, event)]));
}

/** Lists the authors of the events that one request looks back on, by name. */
export async function listEventCreators(request: Request): Promise<{ id: number; name: string }[]> {
  const names = new Map<number, string>();
  for await (const page of loggedEvents(request, {})) {
    // The newest name counts.
    for (const { createdByUserId: id, createdBy } of page) {
      if (id !== null && !names.has(id)) names.set(id, createdBy);
    }
  }
  return [...names].map(([id, name]) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
}
