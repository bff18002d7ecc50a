import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';

/*
 * Guarantees about the order of event ids:
 * - The ids of one feature rise in the order of its commits.
 * - If a request begins after another one was answered, its ids are higher. Among servers that share a store and keep spare ids,
 *   this is true only for requests more than a second apart.
 * - Otherwise a lower id may be committed after a higher one, because an id is taken before its event is stamped and committed.
 *   The delay is at most the duration of a request, a seed or a migration.
 * Ids do not depend on clocks.
 */

/** A range of ids that only one writer uses. */
export interface EventIds {
  readonly first: number;
  readonly last: number;
}

/** Ids that a process has taken in advance. They expire, because other processes take higher ids meanwhile. */
interface SpareIds extends EventIds {
  /** The time of expiry on the monotonic clock of the process, in milliseconds. */
  readonly until: number;
}

/** The empty range. */
export const noEventIds: EventIds = { first: 1, last: 0 };

const noSpareIds: SpareIds = { ...noEventIds, until: 0 };
/** The spare ids per store; missing if the process keeps none. */
const spares = new WeakMap<Request['store'], SpareIds>();
const spareIds = 50;
const spareMs = 1_000;

/** Lets a process take ids in advance while it carries out many changes, for fewer calls to the counter. */
export function keepSpareEventIds(store: Request['store']): void {
  spares.set(store, noSpareIds);
}

/**
 * Takes ids for the events of a change, before it is decided. The counter is raised outside of the transaction, since it would
 * serialize all transactions; unused ids leave a gap. DynamoDB raises the one counter of all projects about 1,000 times per second.
 * @param likely the expected number of events.
 * @param above an id that the ids exceed. Spare ids may be lower and are then not used; newly taken ids exceed all others.
 */
export async function takeEventIds(request: Request, likely: number, above = 0): Promise<EventIds> {
  const amount = Math.max(likely, 1);
  const { first, last, until } = spares.get(request.store) ?? noSpareIds;
  const isBusy = performance.now() < until;
  if (isBusy && first > above && first + amount - 1 <= last) {
    spares.set(request.store, { first: first + amount, last, until });
    return { first, last: first + amount - 1 };
  }
  const spareAmount = isBusy ? spareIds : 0;
  const end = await raiseCounter(request, keys.counter('event'), amount + spareAmount);
  const lastOwn = end - spareAmount;
  const current = spares.get(request.store);
  // A late response has lower ids than those that were given out meanwhile.
  if (current !== undefined && end > current.last) {
    spares.set(request.store, { first: lastOwn + 1, last: end, until: performance.now() + spareMs });
  }
  return { first: lastOwn - amount + 1, last: lastOwn };
}

/** Returns the given ids if they are enough and exceed `above`, otherwise new ones. */
export async function ensureEventIds(
  request: Request,
  ids: EventIds,
  amount: number,
  above: number,
): Promise<EventIds> {
  const suffice = ids.first > above && ids.last - ids.first + 1 >= amount;
  return suffice ? ids : takeEventIds(request, amount, above);
}

/** The ids for the events of one request, in rising order. It takes new ids when the current ones run out. */
export class EventIdPool {
  readonly #request: Request;
  /** The range that was taken last. */
  #taken: EventIds;
  #next: number;

  constructor(request: Request, taken: EventIds) {
    this.#request = request;
    this.#taken = taken;
    this.#next = taken.first;
  }

  /**
   * Returns the first of `amount` consecutive ids above `above`.
   * @param spare the number of ids to reserve after them, for events that must have the next ids.
   */
  async next(amount: number, above: number, spare = 0): Promise<number> {
    const unused = { first: this.#next, last: this.#taken.last };
    const ids = await ensureEventIds(this.#request, unused, amount + spare, above);
    if (ids !== unused) this.#taken = ids;
    this.#next = ids.first + amount;
    return ids.first;
  }

  /** Makes the ids of the last range available again. No event may be stored with one of them. */
  rewind(): void {
    this.#next = this.#taken.first;
  }
}
