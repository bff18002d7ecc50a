import type { Event } from '../../events/event-schema.ts';
import { attemptPauseMaxMs, backoffOf, retryAtMostMs, retryMs, turnMs } from './backoff.ts';
import type { Integration } from './integration.ts';
import type { QueueEvent } from './queue-events.ts';
import type { Delivery } from './send-once.ts';

/**
 * The state of a queue: the events of one feature for one integration, in order. A queue is idle, or its first event waits for
 * the next attempt. Times are in milliseconds since 1970.
 */
export interface Queue {
  /** The last event that is done: sent, given up or filtered out; 0 for none. */
  readonly doneTo: number;
  /** The first id of the next item of events, of which a part may be done; 0 if unknown. */
  readonly next: number;
  /** The time of the next attempt of the first event; 0 for an idle queue. */
  readonly waitUntil: number;
  /** The failures of the first event, and the time of the last one. */
  readonly failures: number;
  readonly failedAt: number;
  /** The time at which the first event is given up; 0 before its first attempt. */
  readonly givenUpAt: number;
  /** JSON: the targets that have received the first event. */
  readonly targetsDone: string;
}

export const idleQueue: Queue = {
  ...{ doneTo: 0, next: 0, waitUntil: 0 },
  ...{ failures: 0, failedAt: 0, givenUpAt: 0, targetsDone: '[]' },
};

/** The next thing to do with the first event of a queue. */
export type QueueAction =
  | { readonly kind: 'skip' }
  | { readonly kind: 'give up'; readonly reason: string }
  | { readonly kind: 'wait'; readonly queue: Queue }
  /** The event, with the part that the integration may see. */
  | { readonly kind: 'send'; readonly queue: Queue; readonly event: Event };

/** The circumstances of an attempt. */
interface Turn {
  readonly integration: Integration;
  /** The time until which nothing is sent to the receiver; undefined if sending is allowed. */
  readonly blockedUntil: number | undefined;
  /** True if the queue was waiting, so that its events may have waited behind others. */
  readonly wasWaiting: boolean;
  readonly now: number;
}

/** Returns the next thing to do with the first event of a queue. */
export function decideNext(queue: Queue, { event }: QueueEvent, turn: Turn): QueueAction {
  const { integration, blockedUntil, wasWaiting, now } = turn;
  const shown = integration.shownOf(event);
  if (shown === undefined) {
    return queue.failures > 0
      ? { kind: 'give up', reason: 'The filters of the integration no longer match.' }
      : { kind: 'skip' };
  }
  if (!integration.addon.enabled || event.id <= integration.after) {
    // Only events that waited appear in the log: others were never tried.
    return wasWaiting ? { kind: 'give up', reason: 'The integration was switched off.' } : { kind: 'skip' };
  }
  const started = { ...queue, givenUpAt: queue.givenUpAt || givenUpAtOf(event, wasWaiting, now) };
  if (blockedUntil === undefined) return { kind: 'send', queue: started, event: shown };
  if (started.givenUpAt <= now) return { kind: 'give up', reason: `It could not be sent within ${ageOf(event, now)}.` };
  return { kind: 'wait', queue: delayQueue(started, event.id, blockedUntil, now) };
}

/** Returns the queue after a failed attempt; undefined if the event is given up. */
export function retryQueue(
  queue: Queue,
  { event }: QueueEvent,
  { kind, afterMs, done }: Pick<Delivery, 'kind' | 'afterMs' | 'done'>,
  now: number,
): Queue | undefined {
  if (kind === 'retry' && queue.givenUpAt <= now) return undefined;
  const failures = queue.failures + 1;
  const failed = { ...queue, failures, failedAt: now, targetsDone: JSON.stringify(done) };
  return delayQueue(failed, event.id, now + Math.max(backoffOf(failures, attemptPauseMaxMs), afterMs), now);
}

/** Returns a queue that waits for at most an hour, and at most until its first event is given up. */
export function delayQueue(queue: Queue, eventId: number, until: number, now: number): Queue {
  const waitUntil = Math.ceil(Math.min(until, now + attemptPauseMaxMs, queue.givenUpAt || until));
  return { ...queue, doneTo: Math.max(queue.doneTo, eventId - 1), waitUntil };
}

/** Returns the queue after its first event is done. */
export function advanceQueue(queue: Queue, { event, next }: QueueEvent): Queue {
  return { ...idleQueue, doneTo: Math.max(queue.doneTo, event.id), next };
}

/** Returns the age of an event in words. */
export function ageOf({ createdAt }: Pick<Event, 'createdAt'>, now: number): string {
  return `${Math.round((now - Date.parse(createdAt)) / 3_600_000)} hours`;
}

/**
 * Returns the time at which an event is given up. An event that waited behind failing ones gets some time of its own, unless it
 * is too old.
 */
function givenUpAtOf({ createdAt }: Event, wasWaiting: boolean, now: number): number {
  const createdAtMs = Date.parse(createdAt);
  const end = createdAtMs + retryMs;
  return wasWaiting ? Math.max(end, Math.min(now + turnMs, createdAtMs + retryAtMostMs)) : end;
}
