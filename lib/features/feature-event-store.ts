import { AnswerRoom } from '../events/answer-size.ts';
import { type EventsItem, eventsOf } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import * as eventKeys from '../events/keys.ts';
import { seenEvent } from '../events/seen-event.ts';
import { isHidden, type Request, seesAllProjects } from '../request.ts';
import { queryPages } from '../store/read.ts';
import { isName } from '../values/primitives.ts';
import { hiddenNames } from './feature-store.ts';

/** Page of a list of events. */
export interface EventPage {
  /** Limit of events. */
  readonly limit?: number | undefined;
  /** Only events with a lower id. */
  readonly before?: number | undefined;
}

export interface FeatureEvents {
  /** Newest first, each as JSON: to make the text of thousands of events twice would take as long as to read them. */
  readonly events: readonly string[];
  /** Number of events of the feature on all pages. */
  readonly total: number;
}

/** For more, a page takes what it holds; the store takes no number beyond 32 bits. */
const pageSizeMax = 1_000;
const newest = { descending: true } as const;

/**
 * Lists the events of a feature, none for one that never existed. Of several that had the name one after the other, the
 * last one's; a page before its first event is one of the feature before it.
 */
export async function listFeatureEvents(request: Request, name: string, page: EventPage): Promise<FeatureEvents> {
  if (!isName(name)) return { events: [], total: 0 };
  const isWhole = seesAllProjects(request);
  const [hidden, { list, total, of }, earlier] = await Promise.all([
    hiddenNames(request, [name]),
    collect(request, name, page),
    // The newest item holds the count; it is among what is collected unless a later page is asked for.
    isWhole && page.before !== undefined ? totalBefore(request, name, page.before) : undefined,
  ]);
  if (hidden.size > 0) return { events: [], total: 0 };
  if (isWhole || total === 0) return { events: list, total: earlier ?? total };
  return { events: list, total: await seenTotal(request, name, of) };
}

async function collect(request: Request, name: string, { limit = Number.POSITIVE_INFINITY, before }: EventPage) {
  const list: string[] = [];
  let total = 0;
  let of: number | undefined;
  const room = new AnswerRoom();
  // Items hold events by rising id under the id of their first, so the one that holds `before` begins below it.
  const pages = queryPages<EventsItem>(request, eventKeys.allFeatureEvents(name), {
    ...newest,
    before: before === undefined ? undefined : eventKeys.featureEvents(name, before).sk,
    pageSize: limit <= pageSizeMax ? limit : undefined,
  });
  for await (const items of pages) {
    for (const item of items) {
      if (total === 0) ({ total, firstId: of } = item);
      if (item.firstId !== of) return { list, total, of };
      const events = seenIn(request, item).filter(({ id }) => before === undefined || id < before);
      for (const event of events.toReversed()) {
        const json = JSON.stringify(seenEvent(request, event));
        const fits = room.take(json) || list.length === 0;
        if (list.length >= limit || !fits) return { list, total, of };
        list.push(json);
      }
      if (list.length >= limit) return { list, total, of };
    }
  }
  return { list, total, of };
}

/** Returns the events of an item that the caller sees: what happened in a private project stays with those who might see it. */
function seenIn(request: Request, item: EventsItem): Event[] {
  return eventsOf(item).filter(({ project }) => !isHidden(request, project));
}

/** Counts the events that the caller sees of the feature that begins with an event. */
async function seenTotal(request: Request, name: string, firstId: number | undefined): Promise<number> {
  let count = 0;
  for await (const items of queryPages<EventsItem>(request, eventKeys.allFeatureEvents(name), newest)) {
    for (const item of items) if (item.firstId === firstId) count += seenIn(request, item).length;
  }
  return count;
}

/** Counts the events of the last feature that had the name before an event. */
async function totalBefore(request: Request, name: string, id: number): Promise<number> {
  let item = await newestItem(request, name);
  while (item?.firstId !== undefined && id <= item.firstId) item = await newestItem(request, name, item.firstId);
  return item?.total ?? 0;
}

async function newestItem(request: Request, name: string, before?: number): Promise<EventsItem | undefined> {
  for await (const [item] of queryPages<EventsItem>(request, eventKeys.allFeatureEvents(name), {
    ...newest,
    before: before === undefined ? undefined : eventKeys.featureEvents(name, before).sk,
    pageSize: 1,
  })) {
    return item;
  }
  return undefined;
}
