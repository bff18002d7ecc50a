import type { EventsItem } from '../../events/event-items.ts';
import { changesSince } from '../../events/event-log.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Key } from '../../store/client/definition.ts';
import { keyText } from '../../store/client/definition.ts';
import { queryAll, queryPages, readItems } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import { distinctBy } from '../../values/duplicates.ts';
import { countRequest } from './day-limit.ts';
import { askedUntil } from './health.ts';
import * as sendingKeys from './keys.ts';
import { type LaneEvent, laneEventsOf } from './lane-events.ts';
import { leaseMs } from './lane-items.ts';
import { changeHeld, takeLease } from './lease.ts';
import { messageId, sendOnce } from './send-once.ts';
import { type Integration, isTrusted, isUnchanged, type Plan, reloadIntegration, type Sender } from './sender.ts';
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
/** A receiver that takes none of so many one after the other is left in peace. */
const failuresMax = 3;

/**
 * Sends the events that somebody has asked for, in their order, one at a time and beside the lanes. Each is tried once; the
 * log shows what came of it.
 * @returns true once nothing is left of what was asked for.
 */
export async function sendAgain(sender: Sender, plan: Plan, integration: Integration): Promise<boolean> {
  const { work, clock, signal } = sender;
  const holder = crypto.randomUUID();
  let isAllDone = true;
  for (const { pk, sk, what } of await queryAll<AgainItem>(work, sendingKeys.sendingsAgain(integration.id))) {
    // The log would be read in vain with each tick, for the rest of a day.
    if (signal.aborted || isAskedToWait(sender, plan, integration)) return false;
    const key = { pk, sk };
    const taken = await takeLease(work, key, { holder, now: clock.now(), until: clock.now() + leaseMs });
    const { progress } = (taken ?? {}) as Partial<AgainItem>;
    const done = progress === undefined ? nothingDone : JSON.parse(progress);
    const isDone =
      taken !== undefined && (await sendAll(sender, plan, integration, { again: JSON.parse(what), done, key, holder }));
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

/** @returns true once nothing of it is left. */
async function sendAll(
  sender: Sender,
  plan: Plan,
  loaded: Integration,
  { again, key, holder, done: before }: Progress,
): Promise<boolean> {
  const { work, clock, signal } = sender;
  let current: Integration | undefined = loaded;
  let { loadedAt } = plan;
  const isStale = () => !isTrusted(loadedAt, clock.now());
  let done = before;
  const keep = async (forMs = leaseMs) => {
    const changed = { progress: JSON.stringify(done), leaseUntil: clock.now() + forMs };
    return (await changeHeld(work, key, holder, changed)) !== undefined;
  };
  for await (const each of eventsOfAgain(sender, loaded, again, before)) {
    if (signal.aborted) break;
    if (isStale()) {
      current = await reloadIntegration(sender, loaded.id, plan.state);
      loadedAt = clock.now();
    }
    const integration = current;
    if (integration?.addon.enabled !== true || done.failures === failuresMax) return true;
    let { failures } = done;
    const event = again.kind === 'test' ? each.event : integration.shownOf(each.event);
    if (event !== undefined) {
      if (await isHeldBack(sender, plan, integration, event)) {
        await keep(0);
        return false;
      }
      const [known] = await readItems<SentEvent>(work, [sendingKeys.sentEvent(integration.id, event.id)]);
      const delivery = await sendOnce(sender, integration, {
        laneEvent: each,
        event,
        id: messageId(plan.state.store, event),
        attempts: sendAttemptsOf(known),
        done: [],
        keep,
        isCurrent: async () => !isStale() || isUnchanged(sender, integration, plan),
      });
      if (delivery === undefined) return false;
      failures = delivery.kind === 'taken' ? 0 : failures + 1;
      const sent = sentEventOf(each, delivery.outcome, clock.now());
      const madeUp = again.kind === 'test' ? { event: JSON.stringify(event) } : {};
      await writeSentEvent(work, integration.id, { ...sent, ...madeUp });
    }
    done = { to: Math.max(done.to, each.event.id), at: each.event.createdAt, count: done.count + 1, failures };
  }
  if (signal.aborted) await keep(0);
  return !signal.aborted;
}

/** Tells whether a receiver is left in peace for now: it has asked for that, or has had all requests of a day. */
function isAskedToWait({ clock }: Sender, { health }: Plan, { id, version }: Integration): boolean {
  return askedUntil(health.get(id), version, clock.now()) > 0;
}

/** The same before a request, which it counts. */
async function isHeldBack(sender: Sender, plan: Plan, integration: Integration, event: Event): Promise<boolean> {
  if (isAskedToWait(sender, plan, integration)) return true;
  const spent = await countRequest(sender, integration, event);
  if (spent !== undefined) plan.health.set(integration.id, spent);
  return spent !== undefined;
}

/** Reads the events that are to be sent again and are not done, by rising id. */
async function* eventsOfAgain(
  sender: Sender,
  integration: Integration,
  again: Again,
  done: Done,
): AsyncGenerator<LaneEvent> {
  const { work } = sender;
  if (again.kind === 'test') {
    const { event } = again;
    if (event.id <= done.to) return;
    yield { event, key: { pk: '', sk: '' }, groupId: String(event.id), next: event.id + 1 };
    return;
  }
  const read = again.kind === 'logged' ? loggedIn : sentIn;
  const wanted = await read(sender, integration, again, done);
  const ids = new Set(wanted.map(({ id }) => id));
  const places = distinctBy(
    wanted.map(({ key }) => key),
    keyText,
  );
  // Some at a time: an item may hold 400 kB.
  for (let from = 0; from < places.length; from += 20) {
    const items = await readItems<Key & EventsItem>(work, places.slice(from, from + 20));
    const events = items.flatMap((item) => (item === undefined ? [] : laneEventsOf(item)));
    // Those of a transaction lie in several items.
    yield* events.filter(({ event }) => ids.has(event.id)).toSorted((a, b) => a.event.id - b.event.id);
  }
}

interface Place {
  readonly id: number;
  readonly key: Key;
}

async function loggedIn({ work }: Sender, { isFor }: Integration, { since, until }: Range, done: Done) {
  const found: Place[] = [];
  const most = eventsMax - done.count;
  const from = done.at && new Date(Date.parse(done.at) - disorderMs).toISOString();
  for await (const page of changesSince(work, (from > since ? from : since) || ' ')) {
    const events = page.flat().filter(({ id, createdAt }) => id > done.to && createdAt <= until);
    found.push(...events.filter(isFor).map(({ id, key }) => ({ id, key })));
    if (found.length >= most || page.some(([first]) => first !== undefined && first.createdAt > until)) break;
  }
  return found.slice(0, most).toSorted((a, b) => a.id - b.id);
}

async function sentIn({ work }: Sender, { id }: Integration, { since, until, failed, ids }: Range, done: Done) {
  const found: Place[] = [];
  for await (const page of queryPages<SentEvent>(work, sendingKeys.sentEvents(id))) {
    const wanted = page.filter(
      ({ eventId, eventPk, state, at }) =>
        eventPk !== '' &&
        eventId > done.to &&
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
