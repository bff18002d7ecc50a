import { randomUUID } from 'node:crypto';
import type { Request } from '../../request.ts';
import type { Attributes } from '../../store/item.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { computeExpiry } from '../../values/time.ts';
import * as sendingKeys from './keys.ts';
import { changeLeased, leaseMs, takeLease } from './lease.ts';
import { advanceQueue, idleQueue, type Queue } from './queue.ts';
import type { QueueEvent } from './queue-events.ts';
import { raiseVersion } from './receiver-state.ts';
import type { SentEvent } from './sent-events.ts';

/** The entry of a queue that waits: all that the poll needs to know of it. Times are in milliseconds since 1970. */
export interface WaitingQueue {
  readonly name: string;
  readonly waitUntil: number;
  /** The time of the last attempt; 0 for none. */
  readonly triedAt: number;
  /** The first event, and the time at which it is given up. */
  readonly eventId: number;
  readonly givenUpAt: number;
  /** The event up to which SDKs are served all changes by then; that is the first event where it is missing. */
  readonly servedTo?: number;
}

/** A lease is renewed where less than this is left: more than a request takes. */
const renewBelowMs = 40_000;
/** The time for which a queue that nothing happens in is kept. */
const keptSeconds = 30 * 86_400;

interface Wait {
  readonly servedTo?: number | undefined;
  readonly sent?: SentEvent;
}

interface QueuePlace {
  readonly work: Request;
  readonly addon: number;
  readonly name: string;
  readonly now: () => number;
}

/** A queue that this process alone works on until it gives it back; every write fails once another one has taken it. */
export class QueueLease {
  queue: Queue;
  /** It waited when it was taken. */
  readonly wasWaiting: boolean;
  readonly #place: QueuePlace;
  readonly #holder: string;
  #isSaved = true;
  #leaseUntil: number;

  private constructor(place: QueuePlace, holder: string, queue: Queue) {
    this.#place = place;
    this.#holder = holder;
    this.queue = queue;
    this.wasWaiting = queue.waitUntil > 0;
    this.#leaseUntil = place.now() + leaseMs;
  }

  /**
   * Takes a queue, which is made where it is missing.
   * @param isIdle true for one that must not wait: that is left to the poll.
   * @returns undefined where it cannot be had.
   */
  static async take(place: QueuePlace, isIdle: boolean): Promise<QueueLease | undefined> {
    const { work, addon, name, now } = place;
    const holder = randomUUID();
    const item = await takeLease(work, sendingKeys.queue(addon, name), { holder, now: now(), isIdle });
    return item && new QueueLease(place, holder, queueIn(item));
  }

  /** Goes on behind an event that is done. */
  advance(event: QueueEvent): void {
    this.queue = advanceQueue(this.queue, event);
    this.#isSaved = false;
  }

  /** Keeps the queue for one more request, and stores how far it has come. @returns false where it was lost. */
  async keep(): Promise<boolean> {
    const { work, addon, name, now } = this.#place;
    if (this.#isSaved && this.#leaseUntil - now() >= renewBelowMs) return true;
    const leaseUntil = now() + leaseMs;
    // One that waited does so until it is given back: the poll finds it where this process dies.
    const { waitUntil: _, ...progress } = this.queue;
    const isKept = await changeLeased(work, sendingKeys.queue(addon, name), this.#holder, { ...progress, leaseUntil });
    if (isKept) [this.#isSaved, this.#leaseUntil] = [true, leaseUntil];
    return isKept;
  }

  /** Gives the queue back while its first event waits, with the record of that. @returns false where it was lost. */
  wait(eventId: number, { servedTo = eventId, sent }: Wait = {}): Promise<boolean> {
    const { work, addon, name } = this.#place;
    const { waitUntil, failedAt: triedAt, givenUpAt } = this.queue;
    const entry: WaitingQueue = { name, waitUntil, triedAt, eventId, givenUpAt, servedTo };
    return tryTransact(
      work,
      this.#returned(),
      { put: sendingKeys.retry(addon, name), item: { ...entry, ...this.#expiry() } },
      // The poll looks only where there is something to retry, and forgets nothing that it has not looked at.
      { add: sendingKeys.receiverState(addon), amounts: raiseVersion() },
      ...(sent === undefined ? [] : [{ put: sendingKeys.sentEvent(addon, sent.eventId), item: { ...sent } }]),
    );
  }

  /** Gives the queue back with nothing left to do. @returns false where it was lost. */
  finish(): Promise<boolean> {
    const { work, addon, name } = this.#place;
    this.queue = { ...this.queue, waitUntil: 0 };
    if (this.wasWaiting) {
      return tryTransact(work, this.#returned(), { remove: sendingKeys.retry(addon, name) });
    }
    const set = { ...this.queue, lease: '', leaseUntil: 0, ...this.#expiry() };
    return changeLeased(work, sendingKeys.queue(addon, name), this.#holder, set);
  }

  #returned(): Write {
    const { addon, name } = this.#place;
    // A version of before 0.3 that still runs looks for `wanted`.
    const item = { ...this.queue, wanted: 0, lease: '', leaseUntil: 0, ...this.#expiry() };
    return { put: sendingKeys.queue(addon, name), item, when: { same: { lease: this.#holder } } };
  }

  #expiry() {
    return { expiresAtSeconds: computeExpiry(keptSeconds, this.#place.now()) };
  }
}

/** Returns a queue with all that its item may lack. */
function queueIn(item: Partial<Queue> | Attributes): Queue {
  const entries = Object.entries(idleQueue).map(([name, value]) => [name, (item as Attributes)[name] ?? value]);
  return Object.fromEntries(entries);
}
