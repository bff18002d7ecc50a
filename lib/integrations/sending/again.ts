import { randomUUID } from 'node:crypto';
import type { EventsItem } from '../../events/event-items.ts';
import { readChangesSince } from '../../events/event-log.ts';
import type { Event } from '../../events/event-schema.ts';
import { type Key, keyText } from '../../store/client/definition.ts';
import { queryAll, queryPages, readItem, readItems } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import { chunksOf, distinctBy } from '../../values/lists.ts';
import { countRequest } from './day-limit.ts';
import {
  buildDeliveryRecord,
  type DeliveryRecord,
  eventKeyOf,
  sendAttemptsOf,
  writeDeliveryRecord,
} from './delivery-records.ts';
import type { Integration } from './integration.ts';
import * as sendingKeys from './keys.ts';
import { changeLeased, leaseMs, takeLease } from './lease.ts';
import { type Plan, renewIntegration } from './plan.ts';
import { type QueueEvent, queueEventsOf } from './queue-events.ts';
import { receiverHealthOf } from './receiver-state.ts';
import { messageId, sendOnce } from './send-once.ts';
import type { Sender } from './sender.ts';

/** A request to send events again, or a test event. Times are in ISO 8601. */
export type Again = { readonly kind: 'test'; readonly event: Event } | Range;

/** Events of a period: all events of the log, or those of earlier deliveries, perhaps only some or the failed ones. */
interface Range {
  readonly kind: 'logged' | 'sent';
  readonly since: string;
  readonly until: string;
  readonly failed: boolean;
  readonly ids?: readonly number[];
}

/** The item of a request to send again. */
interface AgainItem extends Key {
  /** The events to send again, as JSON. */
  readonly what: string;
  readonly progress?: string;
}

/** The progress of a request; JSON in its item. */
interface AgainProgress {
  /** The last event that is done, and its time, at which reading the log continues. */
  readonly to: number;
  readonly at: string;
  readonly count: number;
  /** The failures since the last success. */
  readonly failures: number;
}

const noProgress: AgainProgress = { to: 0, at: '', count: 0, failures: 0 };
/** The period within which the order of the log may differ from the order of ids. */
const disorderMs = 60_000;

/** The most events of one request. */
const eventsMax = 10_000;
/** The number of items that are read at the same time: an item may have 400 kB. */
const readAtOnce = 20;
/** The number of failures in a row after which a request ends. */
const failuresMax = 3;

/**
 * Sends the requested events again, in order, one at a time and independent of the queues. Each gets one attempt, whose outcome
 * the log shows.
 * @returns true if no request remains.
 */
export async function sendAgain(sender: Sender, plan: Plan, integration: Integration): Promise<boolean> {
  const { request, clock, signal } = sender;
  const holder = randomUUID();
  let isAllDone = true;
  for (const { pk, sk, what } of await queryAll<AgainItem>(request, sendingKeys.resends(integration.id))) {
    // Otherwise, each poll for the rest of the day would read the log and send nothing.
    if (signal.aborted || mustWait(sender, plan, integration)) return false;
    const key = { pk, sk };
    const item = (await takeLease(request, key, { holder, now: clock.now() })) as Partial<AgainItem> | undefined;
    const progress = item?.progress === undefined ? noProgress : JSON.parse(item.progress);
    const isDone =
      item !== undefined &&
      (await sendAll(sender, plan, integration, { again: JSON.parse(what), progress, key, holder }));
    if (isDone) await transact(request, [{ remove: key }], undefined);
    isAllDone &&= isDone;
  }
  return isAllDone;
}

interface RunningRequest {
  readonly again: Again;
  readonly progress: AgainProgress;
  readonly key: Key;
  readonly holder: string;
}

/** @returns true if the request is done. */
async function sendAll(
  sender: Sender,
  plan: Plan,
  { id, isFor }: Integration,
  running: RunningRequest,
): Promise<boolean> {
  const { request, clock, signal } = sender;
  const { again, key, holder } = running;
  let { progress } = running;
  const keep = (forMs = leaseMs) =>
    changeLeased(request, key, holder, { progress: JSON.stringify(progress), leaseUntil: clock.now() + forMs });
  for await (const queueEvent of readEventsToSend(sender, id, isFor, again, progress)) {
    if (signal.aborted) break;
    const integration = await renewIntegration(sender, plan, id);
    if (integration?.addon.enabled !== true || progress.failures === failuresMax) return true;
    const { event: logged } = queueEvent;
    const event = again.kind === 'test' ? logged : integration.shownOf(logged);
    let { failures } = progress;
    if (event !== undefined) {
      if (mustWait(sender, plan, integration) || (await countRequest(sender, plan, integration, event)) !== undefined) {
        await keep(0);
        return false;
      }
      const earlier = await readItem<DeliveryRecord>(request, sendingKeys.sentEvent(id, event.id));
      const delivery = await sendOnce(sender, integration, {
        ...{ queueEvent, event, id: messageId(plan.state.store, event), attempts: sendAttemptsOf(earlier) },
        done: [],
        keep,
        isCurrent: async () => (await renewIntegration(sender, plan, id))?.version === integration.version,
      });
      if (delivery === undefined) return false;
      failures = delivery.kind === 'taken' ? 0 : failures + 1;
      const record = buildDeliveryRecord(queueEvent, delivery.outcome, clock.now());
      await writeDeliveryRecord(
        request,
        id,
        again.kind === 'test' ? { ...record, event: JSON.stringify(event) } : record,
      );
    }
    progress = { to: Math.max(progress.to, logged.id), at: logged.createdAt, count: progress.count + 1, failures };
  }
  if (signal.aborted) await keep(0);
  return !signal.aborted;
}

/** Tells whether a receiver gets nothing for now: it asked for a pause, or it has had all the requests of a day. */
function mustWait({ clock }: Sender, { receivers }: Plan, { id, version }: Integration): boolean {
  return receiverHealthOf(receivers.get(id), version, clock.now()).askedUntil > 0;
}

/** Reads the remaining events of a request, by rising id. */
async function* readEventsToSend(
  { request }: Sender,
  addon: number,
  isFor: Integration['isFor'],
  again: Again,
  progress: AgainProgress,
): AsyncGenerator<QueueEvent> {
  if (again.kind === 'test') {
    const { event } = again;
    if (event.id <= progress.to) return;
    yield { event, key: { pk: '', sk: '' }, groupId: String(event.id), next: event.id + 1 };
    return;
  }
  const locations =
    again.kind === 'logged'
      ? await findLogged(request, isFor, again, progress)
      : await findSent(request, addon, again, progress);
  const ids = new Set(locations.map(({ id }) => id));
  const keys = distinctBy(
    locations.map(({ key }) => key),
    keyText,
  );
  for (const chunk of chunksOf(keys, readAtOnce)) {
    const items = await readItems<Key & EventsItem>(request, chunk);
    const events = items.flatMap((item) => (item === undefined ? [] : queueEventsOf(item)));
    // The events of a transaction are in several items.
    yield* events.filter(({ event }) => ids.has(event.id)).toSorted((a, b) => a.event.id - b.event.id);
  }
}

/** An event with its item. */
interface EventLocation {
  readonly id: number;
  readonly key: Key;
}

async function findLogged(
  request: Sender['request'],
  isFor: Integration['isFor'],
  { since, until }: Range,
  progress: AgainProgress,
): Promise<EventLocation[]> {
  const locations: EventLocation[] = [];
  const most = eventsMax - progress.count;
  const from = progress.at && new Date(Date.parse(progress.at) - disorderMs).toISOString();
  for await (const page of readChangesSince(request, (from > since ? from : since) || ' ')) {
    const events = page.flat().filter(({ id, createdAt }) => id > progress.to && createdAt <= until);
    locations.push(...events.filter(isFor).map(({ id, key }) => ({ id, key })));
    if (locations.length >= most || page.some(([first]) => first !== undefined && first.createdAt > until)) break;
  }
  return locations.slice(0, most).toSorted((a, b) => a.id - b.id);
}

async function findSent(
  request: Sender['request'],
  addon: number,
  { since, until, failed, ids }: Range,
  progress: AgainProgress,
): Promise<EventLocation[]> {
  const locations: EventLocation[] = [];
  for await (const page of queryPages<DeliveryRecord>(request, sendingKeys.sentEvents(addon))) {
    const matching = page.filter(
      ({ eventId, eventPk, state, at }) =>
        eventPk !== '' &&
        eventId > progress.to &&
        at >= since &&
        at <= until &&
        (!failed || state === 'failed') &&
        (ids === undefined || ids.includes(eventId)),
    );
    locations.push(...matching.map((record) => ({ id: record.eventId, key: eventKeyOf(record) })));
    if (locations.length >= eventsMax) break;
  }
  return locations.slice(0, eventsMax);
}
