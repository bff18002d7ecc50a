import type { Event } from '../../events/event-schema.ts';
import { attemptPauseMaxMs, backoffOf, retryAtMostMs, retryMs, turnMs } from './backoff.ts';
import type { Integration } from './plan.ts';
import type { QueueEvent } from './queue-events.ts';
import type { Delivery } from './send-once.ts';

/**
 * The state of a queue: the events of one feature to one integration, in order. It is idle, or its first event waits for the
 * next attempt. Times are in milliseconds since 1970.
 */
export interface Queue {
  /** The last event that is done: sent, given up or not wanted; 0 for none. */
  readonly doneTo: number;
  /** The first id of the item of events that is read next, of which a part may be done; 0 where it is not known. */
  readonly next: number;
  /** The time of the next attempt of the first event; 0 for an idle queue. */
  readonly waitUntil: number;
  /** The failures of the first event, and the time of the last one. */
  readonly failures: number;
  readonly failedAt: number;
  /** The time at which the first event is given up; 0 where its turn has not come yet. */
  readonly givenUpAt: number;
  /** JSON: the targets that have the first event. */
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
  /** With the event as the integration may see it. */
  | { readonly kind: 'send'; readonly queue: Queue; readonly event: Event };

/** The circumstances in which an event gets its turn. */
interface Turn {
  readonly integration: Integration;
  /** The time until which nothing is sent to the receiver; undefined where something may be. */
  readonly blockedUntil: number | undefined;
  /** The queue waited before, so that its events may have waited behind others. */
  readonly wasWaiting: boolean;
  readonly now: number;
}

/** Returns the next thing to do with the first event of a queue. */
export function decideNext(queue: Queue, { event }: QueueEvent, turn: Turn): QueueAction {
  const { integration, blockedUntil, wasWaiting, now } = turn;
  const shown = integration.shownOf(event);
  if (shown === undefined) {
    return queue.failures > 0
      ? { kind: 'give up', reason: 'The integration is not about it any more.' }
      : { kind: 'skip' };
  }
  if (!integration.addon.enabled || event.id <= integration.after) {
    // The log names what waited; nobody has ever tried to send anything else.
    return wasWaiting ? { kind: 'give up', reason: 'The integration was switched off.' } : { kind: 'skip' };
  }
  const started = { ...queue, givenUpAt: queue.givenUpAt || givenUpAtOf(event, wasWaiting, now) };
  if (blockedUntil === undefined) return { kind: 'send', queue: started, event: shown };
  if (started.givenUpAt <= now) return { kind: 'give up', reason: `It could not be sent within ${ageOf(event, now)}.` };
  return { kind: 'wait', queue: delayQueue(started, event.id, blockedUntil, now) };
}

/** Returns the queue after a failed attempt; undefined where the event is given up. */
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

/** Returns a queue that waits with its first event: an hour at most, and not beyond the time at which that is given up. */
export function delayQueue(queue: Queue, eventId: number, until: number, now: number): Queue {
  const waitUntil = Math.ceil(Math.min(until, now + attemptPauseMaxMs, queue.givenUpAt || until));
  return { ...queue, doneTo: Math.max(queue.doneTo, eventId - 1), waitUntil };
}

/** Returns the queue once its first event is done. */
export function advanceQueue(queue: Queue, { event, next }: QueueEvent): Queue {
  return { ...idleQueue, doneTo: Math.max(queue.doneTo, event.id), next };
}

/** Returns the age of an event in words. */
export function ageOf({ createdAt }: Pick<Event, 'createdAt'>, now: number): string {
  return `${Math.round((now - Date.parse(createdAt)) / 3_600_000)} hours`;
}

/**
 * Returns the time at which an event is given up. One that has waited behind others that failed has some time left, unless it is
 * too old for anything.
 */
function givenUpAtOf({ createdAt }: Event, wasWaiting: boolean, now: number): number {
  const madeAt = Date.parse(createdAt);
  const end = madeAt + retryMs;
  return wasWaiting ? Math.max(end, Math.min(now + turnMs, madeAt + retryAtMostMs)) : end;
}
