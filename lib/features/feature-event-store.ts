import { type EventsItem, eventsOf } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import { redactEvent } from '../events/event-visibility.ts';
import * as eventKeys from '../events/keys.ts';
import { ReplyBudget } from '../events/reply-budget.ts';
import { isHidden, type Request, seesAllProjects } from '../request.ts';
import { queryPages } from '../store/read.ts';
import { isName } from '../values/primitives.ts';
import { loadHiddenNames } from './feature-store.ts';

/** A page of a list of events. */
export interface EventPage {
  /** The largest number of events. */
  readonly limit?: number | undefined;
  /** Lists only events with a lower id. */
  readonly before?: number | undefined;
}

export interface FeatureEvents {
  /** Newest first. Each event is JSON already: serializing thousands of events twice takes as long as reading them. */
  readonly events: readonly string[];
  /** Number of events of the feature on all pages. */
  readonly total: number;
}

/** The highest limit that is passed to the store, which accepts 32 bits. Beyond it, the store decides about the size of a page. */
const pageSizeMax = 1_000;
const newest = { descending: true } as const;

/**
 * Lists the events of a feature; none for an unknown one. If deleted features had the same name, only the events of the
 * latest feature are listed; a page before its first event lists those of the feature before.
 */
export async function listFeatureEvents(request: Request, name: string, page: EventPage): Promise<FeatureEvents> {
  if (!isName(name)) return { events: [], total: 0 };
  const seesAll = seesAllProjects(request);
  const [hiddenNames, { events, total, firstId }, earlierTotal] = await Promise.all([
    loadHiddenNames(request, [name]),
    collectEvents(request, name, page),
    // The newest item has the count; only the first page reads this item.
    seesAll && page.before !== undefined ? countBefore(request, name, page.before) : undefined,
  ]);
  if (hiddenNames.size > 0) return { events: [], total: 0 };
  if (seesAll || total === 0) return { events, total: earlierTotal ?? total };
  return { events, total: await countVisible(request, name, firstId) };
}

async function collectEvents(request: Request, name: string, { limit = Number.POSITIVE_INFINITY, before }: EventPage) {
  const events: string[] = [];
  let total = 0;
  let firstId: number | undefined;
  const budget = new ReplyBudget();
  // The key of an item is the id of its first event, so the item with the event `before` sorts before this id.
  const pages = queryPages<EventsItem>(request, eventKeys.allFeatureEvents(name), {
    ...newest,
    before: before === undefined ? undefined : eventKeys.featureEvents(name, before).sk,
    pageSize: limit <= pageSizeMax ? limit : undefined,
  });
  for await (const items of pages) {
    for (const item of items) {
      if (total === 0) ({ total, firstId } = item);
      if (item.firstId !== firstId) return { events, total, firstId };
      const visible = visibleEventsOf(request, item).filter(({ id }) => before === undefined || id < before);
      for (const event of visible.toReversed()) {
        const json = JSON.stringify(redactEvent(request, event));
        const fits = budget.take(json) || events.length === 0;
        if (events.length >= limit || !fits) return { events, total, firstId };
        events.push(json);
      }
      if (events.length >= limit) return { events, total, firstId };
    }
  }
  return { events, total, firstId };
}

/** Returns the events of an item, without those of projects hidden from the caller. */
function visibleEventsOf(request: Request, item: EventsItem): Event[] {
  return eventsOf(item).filter(({ project }) => !isHidden(request, project));
}

/** Counts the events visible to the caller of the feature whose first event has an id. */
async function countVisible(request: Request, name: string, firstId: number | undefined): Promise<number> {
  let count = 0;
  for await (const items of queryPages<EventsItem>(request, eventKeys.allFeatureEvents(name), newest)) {
    for (const item of items) if (item.firstId === firstId) count += visibleEventsOf(request, item).length;
  }
  return count;
}

/** Counts the events of the latest feature of the name whose first event comes before an id. */
async function countBefore(request: Request, name: string, id: number): Promise<number> {
  let item = await loadNewestItem(request, name);
  while (item?.firstId !== undefined && id <= item.firstId) item = await loadNewestItem(request, name, item.firstId);
  return item?.total ?? 0;
}

async function loadNewestItem(request: Request, name: string, before?: number): Promise<EventsItem | undefined> {
  for await (const [item] of queryPages<EventsItem>(request, eventKeys.allFeatureEvents(name), {
    ...newest,
    before: before === undefined ? undefined : eventKeys.featureEvents(name, before).sk,
    pageSize: 1,
  })) {
    return item;
  }
  return undefined;
}
