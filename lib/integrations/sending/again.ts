import { randomUUID } from 'node:crypto';
import type { EventsItem } from '../../events/event-items.ts';
import { readChangesSince } from '../../events/event-log.ts';
import type { Event } from '../../events/event-schema.ts';
import { type Key, keyText } from '../../store/client/definition.ts';
import { queryAll, queryPages, readItem, readItems } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import { chunksOf, distinctBy } from '../../values/lists.ts';
import { countRequest } from './day-limit.ts';
import * as sendingKeys from './keys.ts';
import { changeLeased, leaseMs, takeLease } from './lease.ts';
import { type Integration, type Plan, renewIntegration } from './plan.ts';
import { type QueueEvent, queueEventsOf } from './queue-events.ts';
import { receiverHealthOf } from './receiver-state.ts';
import { messageId, sendOnce } from './send-once.ts';
import type { Sender } from './sender.ts';
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
  readonly progress?: string;
}

/** The part of a request that is done; JSON in its item. */
interface Done {
  /** The last event, and its time, from which the log is read on. */
  readonly to: number;
  readonly at: string;
  readonly count: number;
  /** The failures since the last success. */
  readonly failures: number;
}

const nothingDone: Done = { to: 0, at: '', count: 0, failures: 0 };
/** Events of this time may stand in the log in another order than that of their ids. */
const disorderMs = 60_000;

/** The most events of one request. */
const eventsMax = 10_000;
/** The events that are read at a time: an item may hold 400 kB. */
const readAtOnce = 20;
/** A receiver that takes none of so many one after the other is left in peace. */
const failuresMax = 3;

/**
 * Sends the events that somebody has asked for, in their order, one at a time and beside the queues. Each is tried once; the
 * log shows what came of it.
 * @returns true once nothing remains of what was asked for.
 */
export async function sendAgain(sender: Sender, plan: Plan, integration: Integration): Promise<boolean> {
  const { work, clock, signal } = sender;
  const holder = randomUUID();
  let isAllDone = true;
  for (const { pk, sk, what } of await queryAll<AgainItem>(work, sendingKeys.resends(integration.id))) {
    // The log would be read in vain with each poll, for the rest of a day.
    if (signal.aborted || isAskedToWait(sender, plan, integration)) return false;
    const key = { pk, sk };
    const item = (await takeLease(work, key, { holder, now: clock.now() })) as Partial<AgainItem> | undefined;
    const done = item?.progress === undefined ? nothingDone : JSON.parse(item.progress);
    const isDone =
      item !== undefined && (await sendAll(sender, plan, integration, { again: JSON.parse(what), done, key, holder }));
    if (isDone) await transact(work, [{ remove: key }], undefined);
    isAllDone &&= isDone;
  }
  return isAllDone;
}

interface Progress {
  readonly again: Again;
  readonly done: Done;
  readonly key: Key;
  readonly holder: string;
}

/** @returns true once nothing of it remains. */
async function sendAll(sender: Sender, plan: Plan, { id, isFor }: Integration, progress: Progress): Promise<boolean> {
  const { work, clock, signal } = sender;
  const { again, key, holder } = progress;
  let { done } = progress;
  const keep = (forMs = leaseMs) =>
    changeLeased(work, key, holder, { progress: JSON.stringify(done), leaseUntil: clock.now() + forMs });
  for await (const queueEvent of eventsOfAgain(sender, id, isFor, again, done)) {
    if (signal.aborted) break;
    const integration = await renewIntegration(sender, plan, id);
    if (integration?.addon.enabled !== true || done.failures === failuresMax) return true;
    const { event: logged } = queueEvent;
    const event = again.kind === 'test' ? logged : integration.shownOf(logged);
    let { failures } = done;
    if (event !== undefined) {
      if (
        isAskedToWait(sender, plan, integration) ||
        (await countRequest(sender, plan, integration, event)) !== undefined
      ) {
        await keep(0);
        return false;
      }
      const record = await readItem<SentEvent>(work, sendingKeys.sentEvent(id, event.id));
      const delivery = await sendOnce(sender, integration, {
        ...{ queueEvent, event, id: messageId(plan.state.store, event), attempts: sendAttemptsOf(record) },
        done: [],
        keep,
        isCurrent: async () => (await renewIntegration(sender, plan, id))?.version === integration.version,
      });
      if (delivery === undefined) return false;
      failures = delivery.kind === 'taken' ? 0 : failures + 1;
      const sent = sentEventOf(queueEvent, delivery.outcome, clock.now());
      await writeSentEvent(work, id, again.kind === 'test' ? { ...sent, event: JSON.stringify(event) } : sent);
    }
    done = { to: Math.max(done.to, logged.id), at: logged.createdAt, count: done.count + 1, failures };
  }
  if (signal.aborted) await keep(0);
  return !signal.aborted;
}

/** Tells whether a receiver is left in peace for now: it has asked for that, or has had all requests of a day. */
function isAskedToWait({ clock }: Sender, { receivers }: Plan, { id, version }: Integration): boolean {
  return receiverHealthOf(receivers.get(id), version, clock.now()).askedUntil > 0;
}

/** Reads the events that are to be sent again and are not done, by rising id. */
async function* eventsOfAgain(
  { work }: Sender,
  addon: number,
  isFor: Integration['isFor'],
  again: Again,
  done: Done,
): AsyncGenerator<QueueEvent> {
  if (again.kind === 'test') {
    const { event } = again;
    if (event.id <= done.to) return;
    yield { event, key: { pk: '', sk: '' }, groupId: String(event.id), next: event.id + 1 };
    return;
  }
  const places =
    again.kind === 'logged' ? await loggedPlaces(work, isFor, again, done) : await sentPlaces(work, addon, again, done);
  const ids = new Set(places.map(({ id }) => id));
  const keys = distinctBy(
    places.map(({ key }) => key),
    keyText,
  );
  for (const chunk of chunksOf(keys, readAtOnce)) {
    const items = await readItems<Key & EventsItem>(work, chunk);
    const events = items.flatMap((item) => (item === undefined ? [] : queueEventsOf(item)));
    // Those of a transaction lie in several items.
    yield* events.filter(({ event }) => ids.has(event.id)).toSorted((a, b) => a.event.id - b.event.id);
  }
}

/** The place of an event. */
interface Place {
  readonly id: number;
  readonly key: Key;
}

async function loggedPlaces(
  work: Sender['work'],
  isFor: Integration['isFor'],
  { since, until }: Range,
  done: Done,
): Promise<Place[]> {
  const places: Place[] = [];
  const most = eventsMax - done.count;
  const from = done.at && new Date(Date.parse(done.at) - disorderMs).toISOString();
  for await (const page of readChangesSince(work, (from > since ? from : since) || ' ')) {
    const events = page.flat().filter(({ id, createdAt }) => id > done.to && createdAt <= until);
    places.push(...events.filter(isFor).map(({ id, key }) => ({ id, key })));
    if (places.length >= most || page.some(([first]) => first !== undefined && first.createdAt > until)) break;
  }
  return places.slice(0, most).toSorted((a, b) => a.id - b.id);
}

async function sentPlaces(
  work: Sender['work'],
  addon: number,
  { since, until, failed, ids }: Range,
  done: Done,
): Promise<Place[]> {
  const places: Place[] = [];
  for await (const page of queryPages<SentEvent>(work, sendingKeys.sentEvents(addon))) {
    const wanted = page.filter(
      ({ eventId, eventPk, state, at }) =>
        eventPk !== '' &&
        eventId > done.to &&
        at >= since &&
        at <= until &&
        (!failed || state === 'failed') &&
        (ids === undefined || ids.includes(eventId)),
    );
    places.push(...wanted.map((record) => ({ id: record.eventId, key: eventKeyOf(record) })));
    if (places.length >= eventsMax) break;
  }
  return places.slice(0, eventsMax);
}
