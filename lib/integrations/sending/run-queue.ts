import type { Event } from '../../events/event-schema.ts';
import { readItem } from '../../store/read.ts';
import { countRequest } from './day-limit.ts';
import {
  buildDeliveryRecord,
  type DeliveryRecord,
  type SendOutcome,
  sendAttemptsOf,
  writeDeliveryRecord,
} from './delivery-records.ts';
import type { Integration } from './integration.ts';
import * as sendingKeys from './keys.ts';
import { type Plan, renewIntegration } from './plan.ts';
import { ageOf, decideNext, delayQueue, retryQueue } from './queue.ts';
import { type QueueEvent, readQueueEvents } from './queue-events.ts';
import { QueueLease } from './queue-lease.ts';
import { blockOf, receiverHealthOf, recordFailure, recordSuccess } from './receiver-state.ts';
import { type Delivery, messageId, sendOnce } from './send-once.ts';
import { rateLimitOf, type Sender } from './sender.ts';

/** A run of a queue. */
export interface Run {
  /** The id of the integration. */
  readonly id: number;
  /** The name of the queue. */
  readonly name: string;
  /** The first event that was announced or found. It is sent even if the floor is above it. */
  readonly from?: number;
  /** The event up to which SDKs have all changes. */
  readonly upTo: number;
  /** The origin of a run of a waiting queue. A `trial` checks whether a receiver is no longer down. */
  readonly by?: 'poll' | 'trial';
}

/** The longest time after the response until SDKs get a change (`loadSnapshot`). */
export const servedAfterMs = 1_500;
/** The longest time from the time stamp of a change to its commit, with clocks a second apart. */
const commitMs = 31_000;

/**
 * Sends the events of a queue, in order, until all are done or one must wait. Two runs of a queue never send concurrently, not
 * even in two processes.
 * @returns true if all events are done or wait; false if another process has the queue, or this one ends.
 */
export async function runQueue(sender: Sender, plan: Plan, run: Run): Promise<boolean> {
  const integration = plan.integrations.get(run.id);
  if (integration === undefined) return false;
  return rateLimitOf(sender, integration).inQueue(run.name, async () => {
    const { request, clock, signal } = sender;
    if (signal.aborted) return false;
    const access = { request, addon: run.id, name: run.name, now: () => clock.now() };
    const lease = await QueueLease.take(access, run.by === undefined);
    return lease === undefined ? false : sendQueue({ sender, plan, run, lease });
  });
}

interface QueueContext {
  readonly sender: Sender;
  readonly plan: Plan;
  readonly run: Run;
  readonly lease: QueueLease;
}

async function sendQueue(context: QueueContext): Promise<boolean> {
  const { sender, plan, run, lease } = context;
  const { request, clock, signal } = sender;
  if (!lease.wasWaiting) {
    // The queue starts with the integration or at the floor, so that a wider filter sends no earlier events.
    const { after = 0 } = plan.integrations.get(run.id) ?? {};
    const { floorId } = plan.state;
    const doneTo = Math.max(lease.queue.doneTo, after, Math.min(floorId, (run.from ?? Number.POSITIVE_INFINITY) - 1));
    lease.queue = { ...lease.queue, doneTo, next: 0 };
  }
  for (;;) {
    const readAt = clock.now();
    const { events, end, hasMore } = await readQueueEvents(request, run.name, lease.queue);
    for (const queueEvent of events) {
      if (signal.aborted || !isServed(queueEvent, run.upTo, readAt)) {
        // The scan finds open events of an idle queue, but takes those of a waiting queue for settled.
        if (!lease.wasWaiting) return (await lease.finish()) && !signal.aborted;
        lease.queue = delayQueue(lease.queue, queueEvent.event.id, readAt + servedAfterMs, clock.now());
        return lease.wait(queueEvent.event.id, { servedTo: events.at(-1)?.event.id });
      }
      const result = await handleEvent(context, queueEvent);
      if (result !== undefined) return result;
    }
    if (!hasMore) return lease.finish();
    lease.queue = { ...lease.queue, next: Math.max(lease.queue.next, end) };
  }
}

/** Tells whether SDKs have a change: it was announced or tried before, or its time stamp is old enough. */
function isServed({ event: { id, createdAt } }: QueueEvent, upTo: number, readAt: number): boolean {
  return id <= upTo || Math.abs(readAt - Date.parse(createdAt)) > commitMs;
}

/** Sends or skips an event. @returns the result of the run if that ends it. */
async function handleEvent(context: QueueContext, queueEvent: QueueEvent): Promise<boolean | undefined> {
  const { sender, plan, run, lease } = context;
  const { clock } = sender;
  const integration = await renewIntegration(sender, plan, run.id);
  if (integration === undefined) return lease.finish();
  const now = clock.now();
  const health = receiverHealthOf(plan.receivers.get(run.id), integration.version, now);
  const turn = { integration, blockedUntil: blockOf(health, now, run.by === 'trial'), now };
  const action = decideNext(lease.queue, queueEvent, { ...turn, wasWaiting: lease.wasWaiting });
  if (action.kind === 'give up') await giveUp(context, integration, queueEvent, action.reason);
  if (action.kind === 'give up' || action.kind === 'skip') {
    lease.advance(queueEvent);
    return undefined;
  }
  lease.queue = action.queue;
  if (action.kind === 'wait') return lease.wait(queueEvent.event.id);
  const attempts = sendAttemptsOf(await loadRecord(context, queueEvent));
  const limitedUntil = await countRequest(sender, plan, integration, action.event);
  if (limitedUntil !== undefined) {
    const stateDetails = `The integration has reached its daily limit; next at ${new Date(limitedUntil).toISOString()}`;
    lease.queue = delayQueue(lease.queue, queueEvent.event.id, limitedUntil, now);
    const record = buildDeliveryRecord(queueEvent, { state: 'failed', stateDetails, details: {}, attempts }, now);
    return lease.wait(queueEvent.event.id, { record });
  }
  const delivery = await sendOnce(sender, integration, {
    ...{ queueEvent, event: action.event, id: messageId(plan.state.store, action.event), attempts },
    done: JSON.parse(lease.queue.targetsDone),
    keep: () => lease.keep(),
    isCurrent: async () => (await renewIntegration(sender, plan, run.id))?.version === integration.version,
  });
  return delivery === undefined ? false : handleDelivery(context, integration, queueEvent, delivery);
}

/** Records the outcome of an attempt. @returns the result of the run if that ends it. */
async function handleDelivery(
  context: QueueContext,
  integration: Integration,
  queueEvent: QueueEvent,
  delivery: Delivery,
): Promise<boolean | undefined> {
  const { sender, plan, lease } = context;
  const { request } = sender;
  const { kind, outcome } = delivery;
  const { id, version } = integration;
  const now = sender.clock.now();
  const subject = { id, version, now };
  if (kind === 'taken' || kind === 'refused') {
    await writeDeliveryRecord(request, id, buildDeliveryRecord(queueEvent, outcome, now));
    // A refusal also shows that the receiver works.
    const state = plan.receivers.get(id);
    if (state !== undefined && delivery.isAnswered)
      plan.receivers.set(id, await recordSuccess(request, subject, state));
    lease.advance(queueEvent);
    return undefined;
  }
  const queue = retryQueue(lease.queue, queueEvent, delivery, now);
  let result: boolean | undefined;
  if (queue === undefined) {
    const reason = `Given up after ${ageOf(queueEvent.event, now)}: ${outcome.stateDetails}`;
    await giveUp(context, integration, queueEvent, reason, outcome);
    lease.advance(queueEvent);
  } else {
    lease.queue = queue;
    const next = `next at ${new Date(queue.waitUntil).toISOString()}`;
    const stateDetails =
      kind === 'paused'
        ? `Paused until the integration is saved again: ${outcome.stateDetails}`
        : `Attempt ${queue.failures} failed: ${outcome.stateDetails}; ${next}`;
    result = await lease.wait(queueEvent.event.id, {
      record: buildDeliveryRecord(queueEvent, { ...outcome, stateDetails }, now),
    });
  }
  plan.receivers.set(id, await recordFailure(request, subject, { ...delivery, kind, reason: outcome.stateDetails }));
  return result;
}

/** Records an event that is given up. */
async function giveUp(
  context: QueueContext,
  { id, addon: { provider } }: Integration,
  queueEvent: QueueEvent,
  stateDetails: string,
  outcome?: SendOutcome,
): Promise<void> {
  const { request, clock, log } = context.sender;
  const attempts = outcome?.attempts ?? sendAttemptsOf(await loadRecord(context, queueEvent));
  const failure = { state: 'failed', stateDetails, details: outcome?.details ?? {}, attempts } as const;
  await writeDeliveryRecord(request, id, buildDeliveryRecord(queueEvent, failure, clock.now()));
  const { id: eventId, type }: Event = queueEvent.event;
  log({
    level: 'ERROR',
    integration: id,
    provider,
    eventId,
    type,
    attempt: attempts.length,
    ms: 0,
    outcome: 'given up',
  });
}

async function loadRecord(
  { sender, run, lease }: QueueContext,
  { event }: QueueEvent,
): Promise<DeliveryRecord | undefined> {
  return lease.wasWaiting
    ? readItem<DeliveryRecord>(sender.request, sendingKeys.sentEvent(run.id, event.id))
    : undefined;
}
