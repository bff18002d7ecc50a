import type { EventsItem } from '../../events/event-items.ts';
import { changesSince } from '../../events/event-log.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Key } from '../../store/client/definition.ts';
import { keyText } from '../../store/client/definition.ts';
import * as keys from '../../store/keys.ts';
import { changeHeld, takeLease } from '../../store/lease.ts';
import * as partitions from '../../store/partitions.ts';
import { queryAll, queryPages, readItems } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import { type LaneEvent, laneEventsOf } from './lane-events.ts';
import { leaseMs } from './lane-items.ts';
import { messageId, sendOnce } from './send-once.ts';
import type { Integration, Plan, Sender } from './sender.ts';
import { eventKeyOf, type SentEvent, sendAttemptsOf, sentEventOf, writeSentEvent } from './sent-events.ts';

/** The events that somebody wants to be sent again, or a made-up one. Times are in ISO 8601. */
export type Again = { readonly kind: 'test'; readonly event: Event } | Range;

/** Events of a time: all that the integration is about, or of those that were sent before some, or those that failed. */
interface Range {
  readonly kind: 'logged' | 'sent';
  readonly since: string;
  readonly until: string;
  readonly failed: boolean;
  readonly ids?: readonly number[];
}

/** A request to send again, as it lies in the store. */
interface AgainItem extends Key {
  /** JSON. */
  readonly what: string;
  /** The last event that is done. */
  readonly doneTo?: number;
}

/** The most events of one request. */
const eventsMax = 10_000;
/** A receiver that takes none of so many one after the other is left in peace. */
const failuresMax = 3;

/**
 * Sends the events that somebody has asked for, in their order, one at a time and beside the lanes. Each is tried once; the
 * log shows what came of it.
 */
export async function sendAgain(sender: Sender, plan: Plan, integration: Integration): Promise<void> {
  const { work, clock, signal } = sender;
  const holder = crypto.randomUUID();
  for (const { pk, sk, what } of await queryAll<AgainItem>(work, partitions.sendingsAgain(integration.id))) {
    const key = { pk, sk };
    const taken = await takeLease(work, key, { holder, now: clock.now(), until: clock.now() + leaseMs });
    if (taken === undefined) continue;
    const doneTo = Number(taken.doneTo ?? 0);
    const isDone = await sendAll(sender, plan, integration, { again: JSON.parse(what), doneTo, key, holder });
    if (isDone) await transact(work, [{ remove: key }], undefined);
    if (signal.aborted) return;
  }
}

interface Progress {
  readonly again: Again;
  readonly doneTo: number;
  readonly key: Key;
  readonly holder: string;
}

/** @returns true once nothing of it is left. */
async function sendAll(
  sender: Sender,
  plan: Plan,
  integration: Integration,
  { again, doneTo, key, holder }: Progress,
): Promise<boolean> {
  const { work, clock, signal } = sender;
  let failures = 0;
  const keep = async (done: number) => {
    const set = { doneTo: done, leaseUntil: clock.now() + leaseMs };
    return (await changeHeld(work, key, holder, set)) !== undefined;
  };
  let last = doneTo;
  for await (const each of eventsOfAgain(sender, integration, again)) {
    if (signal.aborted || failures === failuresMax) break;
    if (each.event.id <= doneTo) continue;
    const event = again.kind === 'test' ? each.event : integration.shownOf(each.event);
    if (event !== undefined) {
      const done = last;
      const [before] = await readItems<SentEvent>(work, [keys.sentEvent(integration.id, event.id)]);
      const delivery = await sendOnce(sender, integration, {
        laneEvent: each,
        event,
        id: messageId(plan.state.store, event),
        attempts: sendAttemptsOf(before),
        done: [],
        keep: () => keep(done),
      });
      if (delivery === undefined) return false;
      failures = delivery.kind === 'taken' ? 0 : failures + 1;
      const sent = sentEventOf(each, delivery.outcome, clock.now());
      const madeUp = again.kind === 'test' ? { event: JSON.stringify(event) } : {};
      await writeSentEvent(work, integration.id, { ...sent, ...madeUp });
    }
    last = each.event.id;
  }
  return !signal.aborted;
}

/** Reads the events that are to be sent again, by rising id. */
async function* eventsOfAgain(sender: Sender, integration: Integration, again: Again): AsyncGenerator<LaneEvent> {
  const { work } = sender;
  if (again.kind === 'test') {
    const { event } = again;
    yield { event, key: { pk: '', sk: '' }, groupId: String(event.id), next: event.id + 1 };
    return;
  }
  const wanted =
    again.kind === 'logged' ? await loggedIn(sender, integration, again) : await sentIn(sender, integration, again);
  const ids = new Set(wanted.map(({ id }) => id));
  const places = [...new Map(wanted.map(({ key }) => [keyText(key), key])).values()];
  // Some at a time: an item may hold 400 kB.
  for (let from = 0; from < places.length; from += 20) {
    const items = await readItems<Key & EventsItem>(work, places.slice(from, from + 20));
    const events = items.flatMap((item) => (item === undefined ? [] : laneEventsOf(item)));
    yield* events.filter(({ event }) => ids.has(event.id));
  }
}

interface Place {
  readonly id: number;
  readonly key: Key;
}

async function loggedIn({ work }: Sender, { isFor }: Integration, { since, until }: Range): Promise<Place[]> {
  const found: Place[] = [];
  for await (const page of changesSince(work, since || ' ')) {
    const events = page.flat().filter((event) => event.createdAt <= until && isFor(event));
    found.push(...events.map(({ id, key }) => ({ id, key })));
    if (found.length >= eventsMax) break;
  }
  return found.slice(0, eventsMax).toSorted((a, b) => a.id - b.id);
}

async function sentIn({ work }: Sender, { id }: Integration, { since, until, failed, ids }: Range): Promise<Place[]> {
  const found: Place[] = [];
  for await (const page of queryPages<SentEvent>(work, partitions.sentEvents(id))) {
    const wanted = page.filter(
      ({ eventId, eventPk, state, at }) =>
        eventPk !== '' &&
        at >= since &&
        at <= until &&
        (!failed || state === 'failed') &&
        (ids === undefined || ids.includes(eventId)),
    );
    found.push(...wanted.map((each) => ({ id: each.eventId, key: eventKeyOf(each) })));
    if (found.length >= eventsMax) break;
  }
  return found.slice(0, eventsMax);
}
