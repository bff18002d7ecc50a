import { randomUUID } from 'node:crypto';
import type { Request } from '../../request.ts';
import type { Attributes } from '../../store/item.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { computeExpiry } from '../../values/time.ts';
import type { DeliveryRecord } from './delivery-records.ts';
import * as sendingKeys from './keys.ts';
import { changeLeased, leaseMs, takeLease } from './lease.ts';
import { advanceQueue, idleQueue, type Queue } from './queue.ts';
import type { QueueEvent } from './queue-events.ts';
import { raiseVersion } from './receiver-state.ts';

/** The entry of a waiting queue, for the poll. Times are in milliseconds since 1970. */
export interface WaitingQueue {
  readonly name: string;
  readonly waitUntil: number;
  /** The time of the last attempt; 0 for none. */
  readonly triedAt: number;
  /** The first event, and the time at which it is given up. */
  readonly eventId: number;
  readonly givenUpAt: number;
  /** The event up to which SDKs will have all changes; the first event if missing. */
  readonly servedTo?: number;
}

/** A lease with less remaining time is renewed. A request takes less. */
const renewBelowMs = 40_000;
/** The time after which an idle queue expires. */
const keptSeconds = 30 * 86_400;

interface Wait {
  readonly servedTo?: number | undefined;
  readonly record?: DeliveryRecord;
}

interface QueueAccess {
  readonly request: Request;
  readonly addon: number;
  readonly name: string;
  readonly now: () => number;
}

/** A queue that only this process works on until it returns the queue. If another process takes the lease, every write fails. */
export class QueueLease {
  queue: Queue;
  /** True if the queue was waiting when its lease was taken. */
  readonly wasWaiting: boolean;
  readonly #access: QueueAccess;
  readonly #holder: string;
  #isSaved = true;
  #leaseUntil: number;

  private constructor(access: QueueAccess, holder: string, queue: Queue) {
    this.#access = access;
    this.#holder = holder;
    this.queue = queue;
    this.wasWaiting = queue.waitUntil > 0;
    this.#leaseUntil = access.now() + leaseMs;
  }

  /**
   * Takes the lease of a queue, and creates a missing queue.
   * @param isIdle true if the queue must not be waiting: the poll runs waiting queues.
   * @returns undefined if the lease is not available.
   */
  static async take(access: QueueAccess, isIdle: boolean): Promise<QueueLease | undefined> {
    const { request, addon, name, now } = access;
    const holder = randomUUID();
    const item = await takeLease(request, sendingKeys.queue(addon, name), { holder, now: now(), isIdle });
    return item && new QueueLease(access, holder, queueIn(item));
  }

  /** Continues after an event that is done. */
  advance(event: QueueEvent): void {
    this.queue = advanceQueue(this.queue, event);
    this.#isSaved = false;
  }

  /** Renews the lease for one more request, and stores the progress. @returns false if the lease was lost. */
  async keep(): Promise<boolean> {
    const { request, addon, name, now } = this.#access;
    if (this.#isSaved && this.#leaseUntil - now() >= renewBelowMs) return true;
    const leaseUntil = now() + leaseMs;
    // A waiting queue stays one until it is returned, so that the poll finds it if this process dies.
    const { waitUntil: _, ...progress } = this.queue;
    const isKept = await changeLeased(request, sendingKeys.queue(addon, name), this.#holder, {
      ...progress,
      leaseUntil,
    });
    if (isKept) [this.#isSaved, this.#leaseUntil] = [true, leaseUntil];
    return isKept;
  }

  /** Returns the queue while its first event waits, with the record of that event. @returns false if the lease was lost. */
  wait(eventId: number, { servedTo = eventId, record }: Wait = {}): Promise<boolean> {
    const { request, addon, name } = this.#access;
    const { waitUntil, failedAt: triedAt, givenUpAt } = this.queue;
    const entry: WaitingQueue = { name, waitUntil, triedAt, eventId, givenUpAt, servedTo };
    return tryTransact(
      request,
      this.#buildReturn(),
      { put: sendingKeys.retry(addon, name), item: { ...entry, ...this.#expiry() } },
      // The poll looks at integrations with a receiver state, and removes the state only at the version that it has read.
      { add: sendingKeys.receiverState(addon), amounts: raiseVersion() },
      ...(record === undefined ? [] : [{ put: sendingKeys.sentEvent(addon, record.eventId), item: { ...record } }]),
    );
  }

  /** Returns the queue without open events. @returns false if the lease was lost. */
  finish(): Promise<boolean> {
    const { request, addon, name } = this.#access;
    this.queue = { ...this.queue, waitUntil: 0 };
    if (this.wasWaiting) {
      return tryTransact(request, this.#buildReturn(), { remove: sendingKeys.retry(addon, name) });
    }
    const set = { ...this.queue, lease: '', leaseUntil: 0, ...this.#expiry() };
    return changeLeased(request, sendingKeys.queue(addon, name), this.#holder, set);
  }

  #buildReturn(): Write {
    const { addon, name } = this.#access;
    // A release before 0.3 that still runs looks for `wanted`.
    const item = { ...this.queue, wanted: 0, lease: '', leaseUntil: 0, ...this.#expiry() };
    return { put: sendingKeys.queue(addon, name), item, when: { same: { lease: this.#holder } } };
  }

  #expiry() {
    return { expiresAtSeconds: computeExpiry(keptSeconds, this.#access.now()) };
  }
}

/** Returns the queue of an item, with defaults for missing properties. */
function queueIn(item: Partial<Queue> | Attributes): Queue {
  const entries = Object.entries(idleQueue).map(([name, value]) => [name, (item as Attributes)[name] ?? value]);
  return Object.fromEntries(entries);
}
