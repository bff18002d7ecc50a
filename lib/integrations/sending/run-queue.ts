import type { Event } from '../../events/event-schema.ts';
import { readItem } from '../../store/read.ts';
import { countRequest } from './day-limit.ts';
import * as sendingKeys from './keys.ts';
import { type Integration, type Plan, renewIntegration } from './plan.ts';
import { ageOf, decideNext, delayQueue, retryQueue } from './queue.ts';
import { type QueueEvent, readQueueEvents } from './queue-events.ts';
import { QueueLease } from './queue-lease.ts';
import { blockOf, receiverHealthOf, recordFailure, recordSuccess } from './receiver-state.ts';
import { type Delivery, messageId, sendOnce } from './send-once.ts';
import { rateLimitOf, type Sender } from './sender.ts';
import { type SendOutcome, type SentEvent, sendAttemptsOf, sentEventOf, writeSentEvent } from './sent-events.ts';

/** A run through a queue. */
export interface Run {
  /** The id of the integration. */
  readonly id: number;
  /** The name of the queue. */
  readonly name: string;
  /** The first event that was announced or found: it is sent though the floor may have passed it. */
  readonly from?: number;
  /** The event up to which SDKs are known to be served all changes. */
  readonly upTo: number;
  /** Set where the poll takes up a queue that waits; `trial` asks whether a receiver that was down is back. */
  readonly by?: 'poll' | 'trial';
}

/** SDKs are served a change at most this long after its answer (`snapshotOf`). */
export const servedAfterMs = 1_500;
/** The longest that a change takes from its time stamp to its commit, with clocks a second apart. */
const commitMs = 31_000;

/**
 * Sends the events of a queue, in order, until none is left or one has to wait. Two runs of a queue never send at the
 * same time, be it in two processes.
 * @returns true where all of it is done or waits; false where somebody else has it, or this process ends.
 */
export async function runQueue(sender: Sender, plan: Plan, run: Run): Promise<boolean> {
  const integration = plan.integrations.get(run.id);
  if (integration === undefined) return false;
  return rateLimitOf(sender, integration).inQueue(run.name, async () => {
    const { work, clock, signal } = sender;
    if (signal.aborted) return false;
    const place = { work, addon: run.id, name: run.name, now: () => clock.now() };
    const lease = await QueueLease.take(place, run.by === undefined);
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
  const { work, clock, signal } = sender;
  if (!lease.wasWaiting) {
    // It has slept through others: it begins where the integration does, or with the floor, so that a filter which was widened
    // brings nothing of the past.
    const { after = 0 } = plan.integrations.get(run.id) ?? {};
    const { floorId } = plan.state;
    const doneTo = Math.max(lease.queue.doneTo, after, Math.min(floorId, (run.from ?? Number.POSITIVE_INFINITY) - 1));
    lease.queue = { ...lease.queue, doneTo, next: 0 };
  }
  for (;;) {
    const readAt = clock.now();
    const { events, end, hasMore } = await readQueueEvents(work, run.name, lease.queue);
    for (const queueEvent of events) {
      if (signal.aborted || !isServed(queueEvent, run.upTo, readAt)) {
        // The scan finds what is left of an idle queue; of one that waited, it would count as settled.
        if (!lease.wasWaiting) return (await lease.finish()) && !signal.aborted;
        lease.queue = delayQueue(lease.queue, queueEvent.event.id, readAt + servedAfterMs, clock.now());
        return lease.wait(queueEvent.event.id, { servedTo: events.at(-1)?.event.id });
      }
      const isOver = await handleEvent(context, queueEvent);
      if (isOver !== undefined) return isOver;
    }
    if (!hasMore) return lease.finish();
    lease.queue = { ...lease.queue, next: Math.max(lease.queue.next, end) };
  }
}

/** Tells whether SDKs are known to be served a change: one that was announced or tried before, or was stamped at another time. */
function isServed({ event: { id, createdAt } }: QueueEvent, upTo: number, readAt: number): boolean {
  return id <= upTo || Math.abs(readAt - Date.parse(createdAt)) > commitMs;
}

/** Sends an event, or passes over it. @returns the result of the run where it is over. */
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
  const attempts = sendAttemptsOf(await sentBefore(context, queueEvent));
  const spentUntil = await countRequest(sender, plan, integration, action.event);
  if (spentUntil !== undefined) {
    const stateDetails = `The integration has had all requests of a day; next at ${new Date(spentUntil).toISOString()}`;
    lease.queue = delayQueue(lease.queue, queueEvent.event.id, spentUntil, now);
    const sent = sentEventOf(queueEvent, { state: 'failed', stateDetails, details: {}, attempts }, now);
    return lease.wait(queueEvent.event.id, { sent });
  }
  const delivery = await sendOnce(sender, integration, {
    ...{ queueEvent, event: action.event, id: messageId(plan.state.store, action.event), attempts },
    done: JSON.parse(lease.queue.targetsDone),
    keep: () => lease.keep(),
    isCurrent: async () => (await renewIntegration(sender, plan, run.id))?.version === integration.version,
  });
  return delivery === undefined ? false : handleDelivery(context, integration, queueEvent, delivery);
}

/** Records the outcome of an attempt. @returns the result of the run where it is over. */
async function handleDelivery(
  context: QueueContext,
  integration: Integration,
  queueEvent: QueueEvent,
  delivery: Delivery,
): Promise<boolean | undefined> {
  const { sender, plan, lease } = context;
  const { work } = sender;
  const { kind, outcome } = delivery;
  const { id, version } = integration;
  const now = sender.clock.now();
  const subject = { id, version, now };
  if (kind === 'taken' || kind === 'refused') {
    await writeSentEvent(work, id, sentEventOf(queueEvent, outcome, now));
    // A refusal shows that the receiver is there, too.
    const state = plan.receivers.get(id);
    if (state !== undefined && delivery.isAnswered) plan.receivers.set(id, await recordSuccess(work, subject, state));
    lease.advance(queueEvent);
    return undefined;
  }
  const queue = retryQueue(lease.queue, queueEvent, delivery, now);
  let isOver: boolean | undefined;
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
    isOver = await lease.wait(queueEvent.event.id, {
      sent: sentEventOf(queueEvent, { ...outcome, stateDetails }, now),
    });
  }
  plan.receivers.set(id, await recordFailure(work, subject, { ...delivery, kind, reason: outcome.stateDetails }));
  return isOver;
}

/** Records an event that is not tried any more. */
async function giveUp(
  context: QueueContext,
  { id, addon: { provider } }: Integration,
  queueEvent: QueueEvent,
  stateDetails: string,
  outcome?: SendOutcome,
): Promise<void> {
  const { work, clock, log } = context.sender;
  const attempts = outcome?.attempts ?? sendAttemptsOf(await sentBefore(context, queueEvent));
  const failed = { state: 'failed', stateDetails, details: outcome?.details ?? {}, attempts } as const;
  await writeSentEvent(work, id, sentEventOf(queueEvent, failed, clock.now()));
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

async function sentBefore({ sender, run, lease }: QueueContext, { event }: QueueEvent): Promise<SentEvent | undefined> {
  return lease.wasWaiting ? readItem<SentEvent>(sender.work, sendingKeys.sentEvent(run.id, event.id)) : undefined;
}
