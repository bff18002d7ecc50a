import { isImported } from '../../events/event.ts';
import { hashContent } from '../../events/event-chain.ts';
import { logSortKey } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import * as eventKeys from '../../events/keys.ts';
import * as featureKeys from '../../features/keys.ts';
import { eventLogPartition, type Key, padId } from '../../store/client/definition.ts';
import type { RawItem } from '../../store/raw-items.ts';
import type { FindingList } from './findings.ts';
import type { EventRow, OwnRow } from './history-copy.ts';

/** Tells whether an item holds events. */
export function isEventItem(key: Key): boolean {
  return eventKeys.featureOfEvents(key) !== undefined || eventKeys.monthOfEvents(key) !== undefined;
}

/** Returns a feature's own item as a verification needs it; undefined for an item of another kind. */
export function readOwn({ pk, sk, ...item }: RawItem): OwnRow | undefined {
  const name = featureKeys.nameOfFeature({ pk, sk });
  if (name === undefined) return undefined;
  return {
    feature: name,
    isDeleted: Number(item.deleted === true),
    link: textOf(item.link),
    lastEventId: numberOf(item.lastEventId),
    eventCount: numberOf(item.eventCount),
    firstEventId: numberOf(item.firstEventId),
  };
}

/** Returns an item of events as a verification needs it. Adds a finding if the item contradicts itself. */
export function readEvents(item: RawItem, findings: FindingList): EventRow {
  const feature = eventKeys.featureOfEvents(item) ?? null;
  const events = parseEvents(item.events);
  const [first, last] = [events.at(0), events.at(-1)];
  const firstId = Number(item.sk);
  const row: EventRow = {
    pk: item.pk,
    feature,
    firstId: Number.isSafeInteger(firstId) ? firstId : -1,
    lastId: last?.id ?? firstId,
    count: events.length,
    total: numberOf(item.total),
    firstOfFeature: numberOf(item.firstId),
    at: first?.createdAt ?? String(item.at).split('#', 1)[0] ?? '',
    link: textOf(item.link),
    content: hashContent(item, item),
    isImported: Number(first !== undefined && isImported(first)),
  };
  const problem = findProblem(item, events);
  const { at } = row;
  if (problem !== undefined) {
    findings.add({ event: row.firstId, at, ...(feature !== null && { feature }), problem });
  }
  return row;
}

function findProblem({ pk, sk, ...item }: RawItem, events: readonly Event[]): string | undefined {
  const [first] = events;
  if (first === undefined) return 'it was altered: its item has no events that can be read';
  if (padId(first.id) !== sk) return `it was altered: its item has event ${first.id}, which belongs elsewhere`;
  const feature = eventKeys.featureOfEvents({ pk });
  const isHere =
    feature === undefined ? eventKeys.monthOfEvents({ pk }) === first.createdAt.slice(0, 7) : isAbout(events, feature);
  if (!isHere) return 'it is in the wrong place: its events belong elsewhere';
  const isListed = item.log === eventLogPartition && item.at === logSortKey(first.createdAt, first.id);
  return isListed ? undefined : 'it was altered so that the list of all events does not show it';
}

const isAbout = (events: readonly Event[], feature: string) =>
  events.every(({ featureName }) => featureName === feature);

/** Returns the events of an item; none if somebody has made them unreadable. */
function parseEvents(events: unknown): readonly Event[] {
  try {
    const parsed: unknown = JSON.parse(String(events));
    const isReadable = Array.isArray(parsed) && parsed.every((event) => isEvent(event));
    return isReadable ? parsed : [];
  } catch {
    return [];
  }
}

function isEvent(event: unknown): event is Event {
  if (typeof event !== 'object' || event === null) return false;
  const { id, createdAt } = event as Partial<Event>;
  return Number.isSafeInteger(id) && typeof createdAt === 'string';
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
