import type { Request } from '../request.ts';
import { type Key, keyText } from '../store/client/definition.ts';
import { queryEventLog, queryPages, readItems } from '../store/read.ts';
import { chunksOf, distinctBy } from '../values/lists.ts';
import { isName } from '../values/primitives.ts';
import { type EventOutlines, type EventsItem, eventsOf, type LogAttributes } from './event-items.ts';
import type { Event } from './event-schema.ts';
import type { EventSearch, EventSearchResult } from './event-search-schema.ts';
import { labelEventType, summarizeEvent } from './event-summary.ts';
import { isEventVisible, redactEvent } from './event-visibility.ts';
import * as eventKeys from './keys.ts';
import { ReplyBudget } from './reply-budget.ts';

/** The outline of an event, as the index of all events contains it. */
export interface LoggedEvent {
  readonly id: number;
  readonly type: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  /** The key of the item that contains the event. */
  readonly key: Key;
  /** The same for all events of one change: the id of the first event, or that of the change request. */
  readonly groupId: string;
  readonly groupType: EventSearchResult['groupType'];
}

interface EventPage<T> {
  /** Newest first. */
  readonly events: T[];
  /** The number of matching events among those that one request reads. */
  readonly total: number;
}

/** The most changes that one request reads. To reach older ones, a request gives an earlier end (`to`). */
const changesMax = 20_000;
/** The most events that a search for text reads. */
const readChangesMax = 1_000;
/** A suffix that makes a day, or a time, greater than all sort keys that begin with it. */
const endOfDay = '~';

/** A range of the index of all events. */
interface LogRange {
  /** ISO 8601, or a prefix of it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The most changes to read. Each has one or a few events. */
  readonly changes?: number;
}

/**
 * Reads the visible events of a time range, newest first, by page. The index may lag behind the changes by a moment; reads of the
 * events of one feature do not.
 */
export async function* readEventLog(
  request: Request,
  { from = '', to = '', changes = changesMax }: LogRange,
): AsyncGenerator<LoggedEvent[]> {
  // The store refuses a range that ends before it begins.
  if (to !== '' && from > to + endOfDay) return;
  let remaining = changes;
  for await (const items of queryEventLog<Key & LogAttributes>(request, { from: from || ' ', to: to + endOfDay })) {
    yield filterVisible(request, items.slice(0, remaining).flatMap(outlinesOf));
    remaining -= items.length;
    if (remaining <= 0) return;
  }
}

/** Reads all changes since a time, hidden ones included, oldest first, by page. The index may lag by a moment. */
export async function* readChangesSince(request: Request, from: string): AsyncGenerator<LoggedEvent[][]> {
  const pages = queryEventLog<Key & LogAttributes>(request, { from, to: endOfDay, ascending: true });
  for await (const items of pages) yield items.map((item) => outlinesOf(item).toReversed());
}

/**
 * Reads the highest id among the newest events before a time; 0 if there are none. Apart from clock differences, only the ids of
 * overlapping changes are in another order than their times.
 */
export async function loadLastEventIdBefore(request: Request, at = endOfDay): Promise<number> {
  for await (const items of queryEventLog<Key & LogAttributes>(request, { from: ' ', to: at })) {
    if (items.length > 0) return Math.max(...items.flatMap(outlinesOf).map(({ id }) => id));
  }
  return 0;
}

/** The events after a time, newest first. */
export interface EventsAfter {
  /** The outlines of all events. */
  readonly outlines: readonly LoggedEvent[];
  /** The whole events of the requested types. */
  readonly events: readonly Event[];
  /** False if there were more changes than one request reads. */
  readonly isComplete: boolean;
}

/**
 * Reads the outlines of all events after a time, and the whole events of some types. It reads at most the newest 20,000 changes, and may
 * lag behind them by a moment.
 */
export async function loadEventsAfter(
  request: Request,
  time: string,
  types: ReadonlySet<string>,
): Promise<EventsAfter> {
  const outlines: LoggedEvent[] = [];
  let changes = 0;
  // Keys of the index begin with the time; `~` is greater than the sign that follows it.
  const range = { from: `${time}~`, to: endOfDay };
  for await (const items of queryEventLog<Key & LogAttributes>(request, range)) {
    changes += items.length;
    outlines.push(...filterVisible(request, items.flatMap(outlinesOf)));
    if (changes >= changesMax) break;
  }
  const events: Event[] = [];
  const wanted = outlines.filter(({ type }) => types.has(type));
  for await (const [, event] of readWholeEvents(request, wanted)) events.push(event);
  return { outlines, events, isComplete: changes < changesMax };
}

function filterVisible(request: Request, events: readonly LoggedEvent[]): LoggedEvent[] {
  return events.filter((event) => isEventVisible(request, event));
}

function outlinesOf({ pk, sk, at, about }: Key & LogAttributes): LoggedEvent[] {
  const [createdByUserId, createdBy, ...events] = JSON.parse(about) as EventOutlines;
  const featureOfKey = eventKeys.featureOfEvents({ pk });
  const createdAt = at.slice(0, at.indexOf('#'));
  const first = String(events[0]?.[0]);
  return events
    .map(([id, type, project, environment, featureName, group]) => ({
      ...{ id, type, createdAt, createdBy, createdByUserId, project, environment },
      featureName: featureName ?? featureOfKey ?? null,
      ...groupOf(group, first),
      key: { pk, sk },
    }))
    .toReversed();
}

/** Returns the group of an event: its change request, or else the first event of its change. */
function groupOf(changeRequest: string | undefined, firstId: string): Pick<LoggedEvent, 'groupId' | 'groupType'> {
  return changeRequest === undefined
    ? { groupId: firstId, groupType: 'transaction' }
    : { groupId: changeRequest, groupType: 'change-request' };
}

/** Reads the visible events of a feature, newest first, by page. */
async function* readFeatureEvents(request: Request, name: string): AsyncGenerator<LoggedEvent[]> {
  if (!isName(name)) return;
  let remaining = changesMax;
  const pages = queryPages<Key & EventsItem>(request, eventKeys.allFeatureEvents(name), { descending: true });
  for await (const items of pages) {
    const events = items.flatMap(({ pk, sk, ...item }) => {
      const eventsOfItem = eventsOf(item);
      const first = String(eventsOfItem[0]?.id);
      return eventsOfItem
        .map((event) => ({ ...event, ...groupOf(event.groupId, first), key: { pk, sk } }))
        .toReversed();
    });
    yield filterVisible(request, events);
    remaining -= items.length;
    if (remaining <= 0) return;
  }
}

/**
 * Returns the requested page of the events that match a search. It searches the newest 20,000 changes of the requested time; if
 * it looks for a text, the newest 1,000 events that pass the other filters. The total counts the same events.
 * @param isCounted false if no total is needed: the search then ends when the page is full.
 */
export async function searchEvents(
  request: Request,
  search: EventSearch,
  isCounted = true,
): Promise<EventPage<EventSearchResult>> {
  const { events, total } = await searchOutlines(request, search, isCounted);
  return { events: await loadEvents(request, events, toSearchResult), total };
}

function toSearchResult(event: Event, { groupId, groupType }: LoggedEvent): EventSearchResult {
  return { ...event, groupId, groupType, label: labelEventType(event.type), summary: summarizeEvent(event) };
}

/** @param isCounted false if no total is needed: the search then ends when the page is full. */
async function searchOutlines(
  request: Request,
  search: EventSearch,
  isCounted: boolean,
): Promise<EventPage<LoggedEvent>> {
  const { feature, from, to, query, offset, limit } = search;
  const [featureName, ...otherFeatures] = feature?.values ?? [];
  const pages =
    featureName !== undefined && otherFeatures.length === 0
      ? readFeatureEvents(request, featureName)
      : readEventLog(request, { from: from?.values[0], to: to?.values[0] });
  const events: LoggedEvent[] = [];
  let total = 0;
  let reads = 0;
  for await (const page of pages) {
    let matching = page.filter((event) => matches(event, search));
    if (query !== undefined && query !== '') {
      const readable = matching.slice(0, readChangesMax - reads);
      reads += readable.length;
      matching = await filterByText(request, readable, query);
    }
    // Only the events of the page are kept, since a large offset would fill the memory.
    events.push(...matching.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total)));
    total += matching.length;
    if (reads >= readChangesMax || (!isCounted && events.length === limit)) break;
  }
  return { events, total };
}

/**
 * Loads the newest events of a project, or of all projects.
 * @param isCounted false if no total is needed.
 */
export async function loadNewestEvents(
  request: Request,
  project: string | undefined,
  limit: number,
  isCounted = true,
): Promise<EventPage<Event>> {
  const filter = project === undefined ? {} : { project: { operator: 'IS' as const, values: [project] } };
  const { events, total } = await searchOutlines(request, { ...filter, offset: 0, limit }, isCounted);
  return { events: await loadEvents(request, events, (event) => event), total };
}

function matches(event: LoggedEvent, search: EventSearch): boolean {
  const { id, type, feature, project, environment, createdBy, groupId, from, to } = search;
  return (
    passes(id, String(event.id)) &&
    passes(type, event.type) &&
    passes(feature, event.featureName) &&
    passes(project, event.project) &&
    passes(environment, event.environment) &&
    passes(createdBy, String(event.createdByUserId)) &&
    passes(groupId, event.groupId) &&
    event.createdAt >= (from?.values[0] ?? '') &&
    event.createdAt < (to?.values[0] ?? '') + endOfDay
  );
}

function passes(
  filter: { readonly operator: string; readonly values: readonly string[] } | undefined,
  value: string | null,
): boolean {
  if (filter === undefined) return true;
  const isListed = value !== null && filter.values.includes(value);
  return filter.operator === 'IS_NONE_OF' ? !isListed : isListed;
}

async function filterByText(request: Request, outlines: readonly LoggedEvent[], query: string): Promise<LoggedEvent[]> {
  const lowerCaseQuery = query.toLowerCase();
  const matching: LoggedEvent[] = [];
  for await (const [outline, { featureName, data, preData }] of readWholeEvents(request, outlines)) {
    const texts = [featureName ?? '', JSON.stringify(data ?? ''), JSON.stringify(preData ?? '')];
    if (texts.some((text) => text.toLowerCase().includes(lowerCaseQuery))) matching.push(outline);
  }
  return matching;
}

/** Loads whole events in the form of replies, as many as fit into a reply, but at least one. */
async function loadEvents<T>(
  request: Request,
  outlines: readonly LoggedEvent[],
  view: (event: Event, outline: LoggedEvent) => T,
): Promise<T[]> {
  const events: T[] = [];
  const budget = new ReplyBudget();
  for await (const [outline, event] of readWholeEvents(request, outlines)) {
    const viewed = view(event, outline);
    if (!budget.take(JSON.stringify(viewed)) && events.length > 0) break;
    events.push(viewed);
  }
  return events;
}

/** The number of events in memory at a time. Each may come from an item of the maximum size. */
const eventsAtOnce = 50;

async function* readWholeEvents(
  request: Request,
  outlines: readonly LoggedEvent[],
): AsyncGenerator<readonly [LoggedEvent, Event]> {
  for (const chunk of chunksOf(outlines, eventsAtOnce)) {
    const events = await loadEventsById(request, chunk);
    for (const outline of chunk) {
      const event = events.get(outline.id);
      if (event !== undefined) yield [outline, event];
    }
  }
}

/** Loads whole events by their ids, without what the caller may not see. All their items are in memory at the same time. */
export async function loadEventsById(
  request: Request,
  outlines: readonly Pick<LoggedEvent, 'key'>[],
): Promise<Map<number, Event>> {
  const keys = distinctBy(
    outlines.map(({ key }) => key),
    keyText,
  );
  const items = await readItems<EventsItem>(request, keys);
  const events = items.flatMap((item) => (item === undefined ? [] : eventsOf(item)));
  return new Map(events.map((event) => [event.id, redactEvent(request, event)]));
}

/** Lists the authors of the newest changes, by name. @param changes the most changes to read. */
export async function listEventCreators(
  request: Request,
  changes = changesMax,
): Promise<{ id: number; name: string }[]> {
  const names = new Map<number, string>();
  for await (const page of readEventLog(request, { changes })) {
    // Pages begin with the newest event, so the newest name of an author is listed.
    for (const { createdByUserId: id, createdBy } of page) {
      if (id !== null && !names.has(id)) names.set(id, createdBy);
    }
  }
  return [...names].map(([id, name]) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
}
